import {
  type CompletionNotice,
  waitlistCalls as calls,
  type EmergencyNotice,
  type Information,
  type OfferSelection,
  type Signup,
} from '@daybook/contract/api';
import { Body, Controller, Param, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Handles } from '../http/index.ts';
import { clientInfoOf, entriesOfBrowser, rememberEntry } from './visitor-browser.ts';
import { WaitlistService } from './waitlist.service.ts';

const signupLimits = {
  network: 'LIMIT_NETWORK_SIGNUPS',
  email: 'LIMIT_ADDRESS_SIGNUPS',
  total: 'LIMIT_GLOBAL_SIGNUPS',
} as const;

const entryId = { schema: calls.complete.parameters.id };

/** The calls of docs/product.md (Calls). Those with an id respond with the id alone: it may be a guess. */
@Controller()
export class WaitlistController {
  constructor(private readonly waitlist: WaitlistService) {}

  @Handles(calls.signUp, signupLimits)
  async signUp(
    @Body() signup: Signup,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const entry = await this.waitlist.signUp(signup);
    rememberEntry(request, reply, entry.id);
    return { entry };
  }

  @Handles(calls.findByEmail, { network: 'LIMIT_NETWORK_LOOKUPS' })
  async findByEmail(
    @Query('email', { schema: calls.findByEmail.query.email }) email: string,
    @Req() request: FastifyRequest,
  ) {
    return { entry: await this.waitlist.findByEmail(email, entriesOfBrowser(request)) };
  }

  @Handles(calls.setStep)
  setStep(@Param('id', entryId) id: number, @Param('step', { schema: calls.setStep.parameters.step }) step: number) {
    return this.waitlist.setStep(id, step);
  }

  @Handles(calls.complete)
  complete(@Param('id', entryId) id: number) {
    return this.waitlist.complete(id);
  }

  /** No page uses it. */
  @Handles(calls.updateInformation)
  updateInformation(@Param('id', entryId) id: number, @Body() { firstName, lastName, zipCode }: Information) {
    return this.waitlist.change(id, { firstName, lastName, zipCode });
  }

  @Handles(calls.selectOffers)
  selectOffers(@Param('id', entryId) id: number, @Body() { selectedOffers }: OfferSelection) {
    return this.waitlist.change(id, { selectedOffers });
  }

  @Handles(calls.updateClientInfo)
  updateClientInfo(@Param('id', entryId) id: number, @Req() request: FastifyRequest) {
    return this.waitlist.change(id, clientInfoOf(request));
  }

  /** The page may send up to three notices, and only the first one counts (Completion). */
  @Handles(calls.notifyComplete)
  async notifyComplete(@Param('id', entryId) id: number, @Body() notice: CompletionNotice) {
    await this.waitlist.complete(id, notice);
    return { success: true } as const;
  }

  @Handles(calls.sendEmergencyNotice, signupLimits)
  async sendEmergencyNotice(@Body() notice: EmergencyNotice) {
    await this.waitlist.storeEmergencyNotice(notice);
    return { success: true } as const;
  }
}
