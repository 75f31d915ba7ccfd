import { randomInt } from 'node:crypto';
import {
  type CompletionNotice,
  type WaitlistEntry as Entry,
  type Signup,
  waitlistEntryIdLimit,
} from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type ObjectLiteral, QueryFailedError, Repository } from 'typeorm';
import { ExpectedError, IdempotencyKeyReusedError } from '../errors.ts';
import { Metrics } from '../metrics.ts';
import { WaitlistEntry } from './waitlist.entities.ts';
import { storeCompletion, storeNotice, storeSignup } from './waitlist.statements.ts';

/** No entry has this id. */
export class EntryNotFoundError extends ExpectedError {
  constructor(id: number) {
    super('ENTRY_NOT_FOUND', `No entry has the id ${id}. Sign up to get one.`);
  }
}

/** This browser has no entry of the address. Does not reveal whether other browsers have one. */
export class EntryNotOfThisBrowserError extends ExpectedError {
  constructor() {
    super('ENTRY_NOT_FOUND', 'This browser did not sign up with this address. Sign up to get an entry.');
  }
}

type Changes = Parameters<Repository<WaitlistEntry>['update']>[1];

/** Quoted, because TypeORM would replace the bare table name with the column of the relation of that name. */
const entryColumns = 'id, (SELECT email FROM "subscriber" WHERE "subscriber".id = subscriber_id) AS email';

/** Implements the waitlist calls of docs/product.md (Calls). The contract's schemas have validated the input. */
@Injectable()
export class WaitlistService {
  constructor(
    @InjectRepository(WaitlistEntry) private readonly entries: Repository<WaitlistEntry>,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Creates an entry; the response is the same for a known and an unknown address. With the honeypot field filled in,
   * the entry is suspected instead of rejected: the sender may be a bot, or a visitor whose browser extension fills in
   * every field.
   *
   * @param idempotencyKey a retry with the same key returns the entry of the first request
   * @throws IdempotencyKeyReusedError
   */
  async signUp({ email, topic }: Signup, idempotencyKey?: string): Promise<Entry> {
    const suspected = Boolean(topic);
    // Random instead of sequential: cannot be guessed, and does not reveal the number of signups. With a million
    // entries, one new id in 280 million collides: that signup fails, and the visitor has to retry.
    const id = randomInt(1, waitlistEntryIdLimit);
    const store = () => this.entries.query<Entry[]>(storeSignup, [email, id, suspected, idempotencyKey]);
    const [earlier] = await store().catch((error: unknown) => {
      // A signup with the same key was stored at the same time.
      const constraint = error instanceof QueryFailedError && error.driverError.constraint;
      if (constraint === 'waitlist_entry_idempotency_key') return store();
      throw error;
    });
    // Without the address of the entry: whoever sends a key need not be the one who used it first.
    if (earlier && earlier.email !== email) throw new IdempotencyKeyReusedError();
    this.metrics.signups.inc({ outcome: earlier ? 'repeated' : suspected ? 'suspected' : 'stored' });
    return earlier ?? { id, email };
  }

  /**
   * Returns the newest of this browser's entries that has the address. Queries those entries only, so that neither the
   * response nor its timing reveals whether the address signed up elsewhere.
   *
   * @throws EntryNotOfThisBrowserError
   */
  async findByEmail(email: string, idsOfThisBrowser: readonly number[]): Promise<Entry> {
    if (idsOfThisBrowser.length === 0) throw new EntryNotOfThisBrowserError();
    const entries = await this.entries.find({
      where: { id: In(idsOfThisBrowser) },
      relations: { subscriber: true },
      order: { createdAt: 'DESC' },
    });
    const entry = entries.find(({ subscriber }) => subscriber.email === email);
    if (!entry) throw new EntryNotOfThisBrowserError();
    return { id: entry.id, email };
  }

  /** Advances an entry to a step, never back. @throws EntryNotFoundError */
  setStep(id: number, step: number): Promise<Entry> {
    return this.change(id, { step: () => 'GREATEST(step, :step)' }, { step });
  }

  /**
   * Marks an entry complete. Idempotent: later calls keep the first timestamp. A suspected entry only changes if the
   * browser that signed up sends the call; the response is the same.
   *
   * @param notice only the first one is stored; its client time is never trusted
   * @throws EntryNotFoundError
   */
  async complete(id: number, idsOfThisBrowser: readonly number[], notice?: CompletionNotice): Promise<Entry> {
    const [statement, values] = notice
      ? [storeNotice, [notice.source, new Date(notice.timestamp)]]
      : [storeCompletion, []];
    return found(id, await this.entries.query(statement, [id, idsOfThisBrowser.includes(id), ...values]));
  }

  /** Sets columns of an entry. @throws EntryNotFoundError */
  async change(id: number, changes: Changes, parameters: ObjectLiteral = {}): Promise<Entry> {
    const update = this.entries.createQueryBuilder().update().set(changes).where({ id }).setParameters(parameters);
    return found(id, (await update.returning(entryColumns).execute()).raw);
  }
}

function found(id: number, [entry]: readonly Entry[]): Entry {
  if (!entry) throw new EntryNotFoundError(id);
  return entry;
}
