import { networkOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { SignIn, SiteRegistry } from '../../registry/site-registry.ts';
import { RequestError } from '../../request-error.ts';
import type { OperatorAccess } from '../operator-access.ts';
import { releasesPageUrl, signInUrl, signOutUrl } from '../releases-urls.ts';
import { openSession } from './sessions.ts';

const signInSchema = z.object({ token: z.string().trim().default(''), name: z.string().default('') });

const redirectToReleases = (reply: FastifyReply) => reply.redirect(releasesPageUrl, 303);

/** Serves the forms by which operators sign in and out; both are logged, and recorded in the registry. */
export function registerSignIns(
  app: FastifyInstance,
  access: OperatorAccess,
  registry: Pick<SiteRegistry, 'recordSignIn'>,
): void {
  /** A failure of the registry must not lock operators out. */
  async function record(request: FastifyRequest, operator: string, action: SignIn['action']): Promise<void> {
    const network = networkOf(request.ip);
    const did = action === 'sign-in' ? `signed in from ${network}` : 'signed out';
    request.log.info({ operator, network }, `Operator ${operator} ${did}`);
    await registry.recordSignIn({ operator, action, network }).catch((error: Error) => request.log.error(error));
  }

  // Browsers request these on a reload after a rejected form, or from the history.
  for (const url of [signInUrl, signOutUrl]) app.get(url, (_request, reply) => redirectToReleases(reply));

  app.post(signInUrl, { preHandler: app.csrfProtection }, async (request, reply) => {
    const parsed = signInSchema.safeParse(request.body);
    if (!parsed.success) throw new RequestError(400, 'The form has to be sent with “token” and “name”.');
    const operator = await access.identify(request, parsed.data.token, parsed.data.name);
    await openSession(request, operator);
    await record(request, operator.name, 'sign-in');
    return redirectToReleases(reply);
  });

  app.post(signOutUrl, { preHandler: app.csrfProtection }, async (request, reply) => {
    const { operator } = request.session;
    if (operator === undefined) return redirectToReleases(reply);
    await request.session.destroy();
    await record(request, operator, 'sign-out');
    return redirectToReleases(reply);
  });
}
