import type { CompletionNotice, WaitlistEntry as EntryAnswer, Information, OfferId, Signup } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type ObjectLiteral, Repository, type UpdateQueryBuilder } from 'typeorm';
import { Metrics } from '../metrics/index.ts';
import type { ClientInfo } from './client-info.ts';
import { CompletionRepository } from './completion.repository.ts';
import { DecoyEntries } from './decoy-entries.ts';
import { SignupRepository } from './signup.repository.ts';
import { EntryNotFoundError, EntryNotOfThisBrowserError } from './waitlist.errors.ts';
import { WaitlistEntry } from './waitlist-entry.entity.ts';

type Changes = Parameters<UpdateQueryBuilder<WaitlistEntry>['set']>[0];

/** Quoted, because TypeORM takes the bare table name for the relation of that name and puts its column there. */
const answerColumns = 'id, (SELECT email FROM "subscriber" WHERE "subscriber".id = subscriber_id) AS email';

/** The signups of section 7 of the product document. What comes in was checked by the contract's schemas. */
@Injectable()
export class WaitlistService {
  constructor(
    @InjectRepository(WaitlistEntry) private readonly entries: Repository<WaitlistEntry>,
    private readonly signups: SignupRepository,
    private readonly completions: CompletionRepository,
    private readonly decoys: DecoyEntries,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Makes a new entry; the answer is the same for a known and an unknown address, and for what a program filled in
   * that fills in everything: of that nothing is kept.
   */
  async signUp({ email, topic }: Signup): Promise<EntryAnswer> {
    const entry = topic ? await this.decoys.make(email) : await this.decoys.watch(() => this.signups.store(email));
    this.metrics.countSignup(topic ? 'decoy' : 'stored');
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

  /** Marks an entry complete; the first time stays. @throws EntryNotFoundError */
  async complete(id: number): Promise<EntryAnswer> {
    return found(id, await this.completions.complete(id));
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

  /** Keeps the first completion notice of an entry, and ignores every later one. @throws EntryNotFoundError */
  async notifyComplete(id: number, notice: CompletionNotice): Promise<void> {
    found(id, await this.completions.takeNotice(id, notice));
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
    return found(id, (raw as EntryAnswer[])[0]);
  }
}

function found(id: number, entry: EntryAnswer | undefined): EntryAnswer {
  if (!entry) throw new EntryNotFoundError(id);
  return entry;
}
