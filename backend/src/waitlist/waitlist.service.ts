import { randomInt } from 'node:crypto';
import {
  type CompletionNotice,
  type EmergencyNotice,
  type WaitlistEntry as Entry,
  type Information,
  type OfferSelection,
  type Signup,
  waitlistEntryIdLimit,
} from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { EntryNotFoundError, EntryNotOfThisBrowserError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import type { ClientInfo } from './visitor-browser.ts';
import { WaitlistRepository } from './waitlist.repository.ts';

/** Implements the waitlist calls of docs/product.md (Calls). The contract's schemas have validated the input. */
@Injectable()
export class WaitlistService {
  /** Whether the last signup failed in the database. */
  private isFailing = false;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Creates an entry. The response is the same for a known and an unknown email, also in its spelling. With the
   * honeypot field filled in, the entry and its event are marked instead of rejected: the sender may be a bot, or a
   * visitor whose browser extension fills in every field.
   */
  async signUp({ email, topic }: Signup): Promise<Entry> {
    const id = newId();
    const suspected = Boolean(topic);
    try {
      await this.waitlist.storeSignup(email, id, suspected);
    } catch (error) {
      this.isFailing = true;
      throw error;
    }
    this.isFailing = false;
    this.metrics.signups.inc({ outcome: suspected ? 'suspected' : 'stored' });
    return { id, email };
  }

  /**
   * Checks that the database would store a signup. After one that failed, stores one and rolls it back; doing so always
   * would write some rows each second.
   *
   * @throws the driver's error
   */
  async checkStoring(): Promise<void> {
    if (!this.isFailing) return this.waitlist.planSignup();
    const id = newId();
    await this.waitlist.trySignup(`readiness-${id}@example.invalid`, id, false);
    this.isFailing = false;
  }

  /**
   * Returns the newest of this browser's entries that has the email. Compares it with those entries only, so that
   * neither the response nor its timing reveals whether the email signed up elsewhere.
   *
   * @throws EntryNotOfThisBrowserError
   */
  async findByEmail(email: string, idsOfThisBrowser: readonly number[]): Promise<Entry> {
    const id = idsOfThisBrowser.length > 0 ? await this.waitlist.findByEmail(email, idsOfThisBrowser) : undefined;
    if (id === undefined) throw new EntryNotOfThisBrowserError();
    return { id, email };
  }

  /** Advances an entry to a step, never back. @throws EntryNotFoundError */
  async setStep(id: number, step: number) {
    return responseOf(id, await this.waitlist.change(id, { step: () => 'GREATEST(step, :step)' }, { step }));
  }

  /** Sets columns of an entry. @throws EntryNotFoundError */
  async change(id: number, changes: Information | OfferSelection | ClientInfo) {
    return responseOf(id, await this.waitlist.change(id, changes));
  }

  /**
   * Marks an entry complete. Idempotent: later calls keep the first timestamp.
   *
   * @param notice only the first one is stored; its client time is never trusted
   * @throws EntryNotFoundError
   */
  async complete(id: number, notice?: CompletionNotice) {
    return responseOf(id, await this.waitlist.complete(id, notice));
  }

  /** Stores a notice with an email instead of an id. Idempotent per email and day. */
  async storeEmergencyNotice(notice: EmergencyNotice): Promise<void> {
    await this.waitlist.storeEmergencyNotice(notice);
  }
}

/**
 * Returns a random id: it cannot be guessed, and does not reveal the number of signups. With a million entries, one new id
 * in 280 million collides: that signup fails, and the visitor has to retry.
 */
const newId = () => randomInt(1, waitlistEntryIdLimit);

/** Returns the response of a call on an entry. @throws EntryNotFoundError */
function responseOf(id: number, isKnown: boolean) {
  if (!isKnown) throw new EntryNotFoundError(id);
  return { entry: { id } };
}
