import { Any, type DataSource, type EntityManager, type EntityTarget } from 'typeorm';
import { EmergencyNotice } from '../emergency-notice.module.ts';
import type { Environment } from '../environment.ts';
import { OutboxEvent, storeEvents } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';

/** Any number will do, as long as nothing else in this database locks on it; the second one is the place of the kind. */
export const retentionLock = 7_305_222;

/** Rows that one transaction takes at most: none holds its locks for long, and none comes near the statement timeout. */
export const retentionBatchSize = 500;

/**
 * Retention periods as PostgreSQL intervals. The Privacy Policy ("How long we keep it") and the California notice state
 * the same ones (test/retention.integration.spec.ts compares them). The environment may make the first two shorter than
 * stated, and that of privacy requests, of which the policy states the least, longer.
 */
export const retentionPeriods = ({
  CLIENT_DETAILS_KEPT,
  UNFINISHED_ENTRIES_KEPT,
  PRIVACY_REQUESTS_KEPT,
}: Pick<Environment, 'CLIENT_DETAILS_KEPT' | 'UNFINISHED_ENTRIES_KEPT' | 'PRIVACY_REQUESTS_KEPT'>) => ({
  /** User agent, language and network of an entry, from its signup. */
  clientInfo: `${CLIENT_DETAILS_KEPT} days`,
  /** A registration that nobody completed, from its signup. */
  unfinishedEntries: `${UNFINISHED_ENTRIES_KEPT} months`,
  /** An emergency notice, from when it came. */
  emergencyNotices: '90 days',
  /** What was asked on the privacy pages, from the answer or, where none is noted, the due date. */
  privacyRequests: `${PRIVACY_REQUESTS_KEPT} months`,
  /** An event that was delivered, or never will be, from when it happened: it holds the address. */
  events: '90 days',
});

export type RetentionPeriods = Readonly<ReturnType<typeof retentionPeriods>>;
export type RetentionKind = keyof RetentionPeriods;

/** What a run did: rows changed or deleted of each kind, and the errors of the kinds that failed. */
export interface RetentionResult {
  readonly counts: Readonly<Record<RetentionKind, number>>;
  readonly errors: Readonly<Partial<Record<RetentionKind, Error>>>;
}

/** One transaction of the removal of a kind. */
interface Batch {
  readonly manager: EntityManager;
  /** The database's. */
  readonly time: Date;
  /** The time of the removal, and the period of the kind. */
  readonly parameters: { readonly now: Date; readonly period: string };
}

/** SQL: whether a time lies further back than the period of a kind. */
const isOver = (time: string) => `${time} < :now::timestamptz - :period::interval`;

/** A completion notice counts as completed: its visitor reached the thank-you page, even if the call before it failed. */
const isUnfinished = 'completed_at IS NULL AND notice_received_at IS NULL';

/** The condition under which rows of a kind are removed. */
const dueClientInfo = `${isOver('created_at')} AND num_nonnulls(user_agent, language, network_address) > 0`;
const dueNotice = isOver('received_at');
/** Who asked may ask about it as long: from when it was answered, or, where nobody noted that, had to be. */
const dueRequest = isOver('GREATEST(due_at, done_at)');
/**
 * Events that have ended, and pending ones whose registration, notice or request is gone. An event that says to
 * delete an address stays until the mail system has taken it. Ids begin with the time, in ms, so that only old events are
 * read.
 */
const dueEvent = `
  id < rpad(lpad(to_hex((extract(epoch FROM :now::timestamptz - :period::interval) * 1000)::bigint), 12, '0'), 32, '0')::uuid
  AND (type NOT IN ('subscriber.expired', 'subscriber.forgotten') OR delivered_at IS NOT NULL)
  AND (
    num_nonnulls(delivered_at, dead_at) > 0
    OR NOT EXISTS (SELECT FROM waitlist_entry WHERE waitlist_entry.id = (data->>'entryId')::bigint)
    AND NOT EXISTS (SELECT FROM privacy_request WHERE privacy_request.reference = data->>'reference')
  )
`;

/** Locks a batch of due rows, and returns their ids. Rows that another transaction works on are left for the next run. */
async function lockDue(
  { manager, parameters }: Batch,
  entity: EntityTarget<{ readonly id: string | number }>,
  condition: string,
) {
  const rows = await manager
    .createQueryBuilder(entity, 'due')
    .select('due.id')
    .where(condition, parameters)
    .limit(retentionBatchSize)
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked')
    .getMany();
  return rows.map(({ id }) => id);
}

const deleting =
  (entity: EntityTarget<{ readonly id: string | number }>, condition: string) =>
  async (batch: Batch): Promise<number> => {
    const ids = await lockDue(batch, entity, condition);
    return (await batch.manager.delete(entity, { id: Any(ids) })).affected ?? 0;
  };

async function forgetClientInfo(batch: Batch): Promise<number> {
  const ids = await lockDue(batch, WaitlistEntry, dueClientInfo);
  const nothing = { userAgent: null, language: null, networkAddress: null };
  return (await batch.manager.update(WaitlistEntry, { id: Any(ids) }, nothing)).affected ?? 0;
}

/**
 * Subscribers are locked before their entries, in the order of their ids, as by everybody who locks both: anything else
 * deadlocks with `operator subscribers forget`. A signup with one of the addresses waits, and then makes the subscriber
 * anew. Entries that were completed or forgotten between the search and the lock no longer match, or are gone.
 */
async function removeUnfinishedEntries({ manager, time, parameters }: Batch): Promise<number> {
  const due = await manager
    .createQueryBuilder(WaitlistEntry, 'entry')
    .select(['entry.id', 'entry.subscriberId'])
    .where(`${isOver('created_at')} AND ${isUnfinished}`, parameters)
    .limit(retentionBatchSize)
    .getMany();
  const subscribers = { id: Any([...new Set(due.map(({ subscriberId }) => subscriberId))]) };
  await manager.find(Subscriber, { where: subscribers, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
  const { raw } = await manager
    .createQueryBuilder()
    .delete()
    .from(WaitlistEntry)
    .where({ id: Any(due.map(({ id }) => id)) })
    .andWhere(isUnfinished)
    .returning('subscriber_id, suspected')
    .execute();
  const removed = raw as readonly { readonly subscriber_id: number; readonly suspected: boolean }[];
  // The mail system knows of entries that are not suspected: when the last of them is gone, it is to delete the address.
  const expired = await manager
    .createQueryBuilder(Subscriber, 'subscriber')
    .where({ id: Any(removed.filter(({ suspected }) => !suspected).map(({ subscriber_id }) => subscriber_id)) })
    .andWhere('NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = "subscriber".id AND NOT suspected)')
    .getMany();
  const expiredAt = time.toISOString();
  await storeEvents(
    manager,
    'subscriber.expired',
    expired.map(({ email }) => ({ email, expiredAt })),
  );
  await manager
    .createQueryBuilder()
    .delete()
    .from(Subscriber)
    .where(subscribers)
    .andWhere('NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = "subscriber".id)')
    .execute();
  return removed.length;
}

/** In the order in which they run: an event may be due because its entry or request was just removed. */
const removals: readonly (readonly [RetentionKind, (batch: Batch) => Promise<number>])[] = [
  ['clientInfo', forgetClientInfo],
  ['unfinishedEntries', removeUnfinishedEntries],
  ['emergencyNotices', deleting(EmergencyNotice, dueNotice)],
  ['privacyRequests', deleting(PrivacyRequest, dueRequest)],
  ['events', deleting(OutboxEvent, dueEvent)],
];

/** Removes what is past its retention period. */
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly periods: RetentionPeriods,
  ) {}

  /**
   * Removes everything that is due at a time, in transactions of at most `retentionBatchSize` rows. A kind that fails
   * does not affect the others. Replicas that run it at the same time take turns: one that finds another at work
   * leaves the kind to it.
   *
   * @param stop ends the work after the transaction under way.
   */
  async removeDue(now: Date, stop?: AbortSignal): Promise<RetentionResult> {
    const counts = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };
    const errors: Partial<Record<RetentionKind, Error>> = {};
    for (const [place, [kind, removeBatch]] of removals.entries()) {
      const parameters = { now, period: this.periods[kind] };
      try {
        for (let removed = 1; removed > 0 && !stop?.aborted; counts[kind] += removed)
          removed = await this.dataSource.transaction(async (manager) => {
            // A lock for each kind: with one for all, two replicas could each leave the same kind to the other.
            const statement = 'SELECT pg_try_advisory_xact_lock($1, $2) AS locked, now() AS time';
            const [{ locked, time }] = await manager.query(statement, [retentionLock, place]);
            return locked ? removeBatch({ manager, time, parameters }) : 0;
          });
      } catch (error) {
        errors[kind] = error as Error;
      }
    }
    return { counts, errors };
  }
}
