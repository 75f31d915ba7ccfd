import { Inject, Injectable } from '@nestjs/common';
import { Any, DataSource, type EntityManager, type EntityTarget } from 'typeorm';
import { EmergencyNotice } from '../emergency-notice.module.ts';
import { type Environment, environmentToken } from '../environment.ts';
import { OutboxEvent, storeEvents } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';

/** First key of the advisory locks, the second one is the kind's index: any number that nothing else here locks. */
export const retentionLock = 7_305_222;

/** Max rows per transaction: keeps locks short and statements far below their timeout. */
export const retentionBatchSize = 500;

type RetentionSettings = Pick<Environment, 'CLIENT_DETAILS_KEPT' | 'UNFINISHED_ENTRIES_KEPT' | 'PRIVACY_REQUESTS_KEPT'>;

/**
 * Returns the retention periods as PostgreSQL intervals. The Privacy Policy ("How long we keep it") and the California
 * notice state the same ones (test/retention.integration.spec.ts compares them). Settings can shorten the first two,
 * and extend that of privacy requests, for which the policy states a minimum.
 */
export const retentionPeriods = (environment: RetentionSettings) => ({
  /** User agent, language and network of an entry, since its signup. */
  clientInfo: `${environment.CLIENT_DETAILS_KEPT} days`,
  /** A registration that was never completed, since its signup. */
  unfinishedEntries: `${environment.UNFINISHED_ENTRIES_KEPT} months`,
  /** An emergency notice, since it was received. */
  emergencyNotices: '90 days',
  /** A privacy request, since the response or, if none is recorded, the due date. */
  privacyRequests: `${environment.PRIVACY_REQUESTS_KEPT} months`,
  /** A delivered or dead event, since its creation: it contains the address. */
  events: '90 days',
});

type RetentionKind = keyof ReturnType<typeof retentionPeriods>;

/** The result of a run: rows changed or deleted per kind, and the errors of the kinds that failed. */
export interface RetentionResult {
  readonly counts: Readonly<Record<RetentionKind, number>>;
  readonly errors: Readonly<Partial<Record<RetentionKind, Error>>>;
}

/** One transaction of the removal of a kind. */
interface Batch {
  readonly manager: EntityManager;
  /** The database's current time. */
  readonly time: Date;
  /** The time to remove by, and the retention period of the kind. */
  readonly parameters: { readonly now: Date; readonly period: string };
}

/** Returns SQL that checks whether a time is older than the retention period. */
const isOver = (time: string) => `${time} < :now::timestamptz - :period::interval`;

/** A completion notice counts too: its visitor saw the thank-you page, even if the call before it failed. */
const isUnfinished = 'completed_at IS NULL AND notice_received_at IS NULL';

/** SQL conditions for rows to be removed, by kind. */
const dueClientInfo = `${isOver('created_at')} AND num_nonnulls(user_agent, language, network_address) > 0`;
const dueNotice = isOver('received_at');
/** Retained from the response on or, if none is recorded, from the due date, for questions about the request. */
const dueRequest = isOver('GREATEST(due_at, done_at)');
/**
 * Delivered and dead events, and pending ones whose registration, notice or request is gone. Deletion events stay until
 * they are delivered. Ids begin with the time in ms: comparing them reads old events only.
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

/** Locks a batch of due rows, and returns their ids. Leaves rows locked by another transaction to the next run. */
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

async function clearClientInfo(batch: Batch): Promise<number> {
  const ids = await lockDue(batch, WaitlistEntry, dueClientInfo);
  const nothing = { userAgent: null, language: null, networkAddress: null };
  return (await batch.manager.update(WaitlistEntry, { id: Any(ids) }, nothing)).affected ?? 0;
}

/**
 * Locks subscribers before their entries and ordered by id, like all code that locks both: any other order can deadlock
 * with `operator subscribers forget`. A signup with one of the addresses waits, and then inserts a new subscriber.
 * Entries that were completed or forgotten between the query and the lock no longer match, or are gone.
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
  // The mail system knows entries that are not suspected: it has to delete the address when the last of them is gone.
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

/** In the order of execution: events are last because removing an entry or request can make its event due. */
const removals: readonly (readonly [RetentionKind, (batch: Batch) => Promise<number>])[] = [
  ['clientInfo', clearClientInfo],
  ['unfinishedEntries', removeUnfinishedEntries],
  ['emergencyNotices', deleting(EmergencyNotice, dueNotice)],
  ['privacyRequests', deleting(PrivacyRequest, dueRequest)],
  ['events', deleting(OutboxEvent, dueEvent)],
];

/** Removes rows past their retention period. */
@Injectable()
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(environmentToken) private readonly environment: RetentionSettings,
  ) {}

  /**
   * Removes all rows that are due at a time, in transactions of at most `retentionBatchSize` rows. A failing kind does
   * not affect the others. A replica skips a kind while another replica removes it.
   *
   * @param stop aborts the run after the transaction in progress
   */
  async removeDue(now: Date, stop?: AbortSignal): Promise<RetentionResult> {
    const counts = { clientInfo: 0, unfinishedEntries: 0, emergencyNotices: 0, privacyRequests: 0, events: 0 };
    const errors: Partial<Record<RetentionKind, Error>> = {};
    const periods = retentionPeriods(this.environment);
    for (const [place, [kind, removeBatch]] of removals.entries()) {
      const parameters = { now, period: periods[kind] };
      try {
        for (let removed = 1; removed > 0 && !stop?.aborted; counts[kind] += removed)
          removed = await this.dataSource.transaction(async (manager) => {
            // A lock per kind: with one for all, two replicas could each leave the same kind to the other.
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
