import { randomInt } from 'node:crypto';
import {
  type CompletionNotice,
  type EmergencyNotice,
  type WaitlistEntry as Entry,
  type Signup,
  waitlistEntryIdLimit,
} from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type ObjectLiteral, type Repository } from 'typeorm';
import { ConnectionPool, mailboxOf } from '../database/index.ts';
import { EntryNotFoundError, EntryNotOfThisBrowserError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';
import { storeCompletion, storeEmergencyNotice, storeNotice, storeSignup } from './waitlist-sql.ts';

type Changes = Parameters<Repository<WaitlistEntry>['update']>[1];

/** Implements the waitlist calls of docs/product.md (Calls). The contract's schemas have validated the input. */
@Injectable()
export class WaitlistService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: ConnectionPool,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Creates an entry. The response is the same for a known and an unknown email. With the honeypot field filled in, the
   * entry and its event are marked: the sender may be a bot, or a visitor whose browser extension fills in every field.
   */
  async signUp({ email, topic }: Signup): Promise<Entry> {
    // Random, so that it cannot be guessed. With a million entries, one in 280 million collides, and that signup fails.
    const id = randomInt(1, waitlistEntryIdLimit);
    const suspected = Boolean(topic);
    await this.pool.prepared('store_signup', storeSignup, [email, id, suspected]);
    this.metrics.signups.inc({ outcome: suspected ? 'suspected' : 'stored' });
    return { id, email };
  }

  /**
   * Returns the newest of this browser's entries that has the email. Neither the response nor its timing reveals whether
   * the email signed up elsewhere. @throws EntryNotOfThisBrowserError
   */
  async findByEmail(email: string, idsOfThisBrowser: readonly number[]): Promise<Entry> {
    const entries = await this.dataSource
      .createQueryBuilder(WaitlistEntry, 'entry')
      .innerJoin('entry.subscriber', 'subscriber')
      .select('entry.id', 'id')
      // Not a condition: PostgreSQL could then begin with all entries of the email.
      .addSelect(`${mailboxOf('subscriber.email')} = ${mailboxOf(':email')}`, 'hasEmail')
      .where({ id: In([...idsOfThisBrowser]) })
      .setParameters({ email })
      .orderBy('entry.created_at', 'DESC')
      .getRawMany<{ readonly id: number; readonly hasEmail: boolean }>();
    const found = entries.find(({ hasEmail }) => hasEmail);
    if (!found) throw new EntryNotOfThisBrowserError();
    return { id: found.id, email };
  }

  setStep(id: number, step: number) {
    return this.change(id, { step: () => 'GREATEST(step, :step)' }, { step });
  }

  async change(id: number, changes: Changes, parameters: ObjectLiteral = {}) {
    const update = this.dataSource.createQueryBuilder().update(WaitlistEntry).set(changes).where({ id });
    const { affected } = await update.setParameters(parameters).execute();
    return responseOf(id, affected);
  }

  /** Marks an entry complete. Later calls keep the first timestamp and notice. @throws EntryNotFoundError */
  async complete(id: number, notice?: CompletionNotice) {
    const { rowCount } = notice
      ? await this.pool.prepared('store_notice', storeNotice, [id, notice.source, new Date(notice.timestamp)])
      : await this.pool.prepared('store_completion', storeCompletion, [id]);
    return responseOf(id, rowCount);
  }

  async storeEmergencyNotice({ email, source, timestamp }: EmergencyNotice): Promise<void> {
    await this.dataSource.query(storeEmergencyNotice, [email, source, new Date(timestamp)]);
  }
}

/** Returns the response of a call that changed so many entries. @throws EntryNotFoundError */
function responseOf(id: number, count: number | null | undefined) {
  if (count !== 1) throw new EntryNotFoundError(id);
  return { entry: { id } };
}
