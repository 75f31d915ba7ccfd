import type { CompletionNotice, WaitlistEntry as EntryAnswer, Information, OfferId, Signup } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type ObjectLiteral, Repository, type UpdateQueryBuilder } from 'typeorm';
import { ExpectedError } from '../errors.ts';
import { Metrics } from '../metrics.ts';
import type { ClientInfo } from './visitor-browser.ts';
import { WaitlistEntry } from './waitlist.entities.ts';
import { WaitlistRepository } from './waitlist.repository.ts';

/** No entry has this id. */
export class EntryNotFoundError extends ExpectedError {
  constructor(id: number) {
    super('ENTRY_NOT_FOUND', `No entry has the id ${id}. Sign up to get one.`);
  }
}

/** This browser has no entry of the address; it does not say whether anybody else has. */
export class EntryNotOfThisBrowserError extends ExpectedError {
  constructor() {
    super('ENTRY_NOT_FOUND', 'This browser did not sign up with this address. Sign up to get an entry.');
  }
}

type Changes = Parameters<UpdateQueryBuilder<WaitlistEntry>['set']>[0];

/** Quoted, because TypeORM takes the bare table name for the relation of that name and puts its column there. */
const answerColumns = 'id, (SELECT email FROM "subscriber" WHERE "subscriber".id = subscriber_id) AS email';

/** The signups of docs/product.md (Calls). What comes in was checked by the contract's schemas. */
@Injectable()
export class WaitlistService {
  constructor(
    @InjectRepository(WaitlistEntry) private readonly entries: Repository<WaitlistEntry>,
    private readonly waitlist: WaitlistRepository,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Makes a new entry; the response is the same for a known and an unknown address. A signup with the honeypot field
   * filled in may be a program, or somebody whose browser extension fills in every field: its entry is suspected.
   */
  async signUp({ email, topic }: Signup): Promise<EntryAnswer> {
    const suspected = Boolean(topic);
    const entry = await this.waitlist.signUp(email, suspected);
    this.metrics.countSignup(suspected ? 'suspected' : 'stored');
    return entry;
  }

  /**
   * The newest of the given entries that has this address. It looks at those entries only, so that neither the
   * answer nor its timing depends on whether somebody else signed up with the address.
   *
   * @throws EntryNotOfThisBrowserError
   */
  async findByEmail(email: string, idsOfThisBrowser: readonly number[]): Promise<EntryAnswer> {
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

  /** Moves an entry on to a step, never back. @throws EntryNotFoundError */
  setStep(id: number, step: number): Promise<EntryAnswer> {
    return this.change(id, { step: () => 'GREATEST(step, :step)' }, { step });
  }

  /**
   * Marks an entry complete; the first time stays. So it is with a suspected entry if the browser that signed up sends
   * the call; otherwise nothing changes, and the response is the same.
   *
   * @throws EntryNotFoundError
   */
  async complete(id: number, idsOfThisBrowser: readonly number[]): Promise<EntryAnswer> {
    return found(id, await this.waitlist.complete(id, idsOfThisBrowser.includes(id)));
  }

  /** @throws EntryNotFoundError */
  updateInformation(id: number, { firstName, lastName, zipCode }: Information): Promise<EntryAnswer> {
    return this.change(id, { firstName, lastName, zipCode });
  }

  /** Saves the chosen offers in place of those chosen before. @throws EntryNotFoundError */
  selectOffers(id: number, selectedOffers: OfferId[]): Promise<EntryAnswer> {
    return this.change(id, { selectedOffers });
  }

  /** @throws EntryNotFoundError */
  updateClientInfo(id: number, { userAgent, language, networkAddress }: ClientInfo): Promise<EntryAnswer> {
    return this.change(id, { userAgent, language, networkAddress });
  }

  /** Stores the first completion notice of an entry, which completes it as `complete` does. @throws EntryNotFoundError */
  async notifyComplete(id: number, idsOfThisBrowser: readonly number[], notice: CompletionNotice): Promise<void> {
    found(id, await this.waitlist.complete(id, idsOfThisBrowser.includes(id), notice));
  }

  private async change(id: number, changes: Changes, parameters: ObjectLiteral = {}): Promise<EntryAnswer> {
    const { raw } = await this.entries
      .createQueryBuilder()
      .update()
      .set(changes)
      .where({ id })
      .setParameters(parameters)
      .returning(answerColumns)
      .execute();
    return found(id, (raw as EntryAnswer[])[0] ?? null);
  }
}

function found(id: number, entry: EntryAnswer | null): EntryAnswer {
  if (!entry) throw new EntryNotFoundError(id);
  return entry;
}
