import { Any, type EntityManager } from 'typeorm';
import type { Environment } from '../environment.ts';
import { storeEvents } from '../outbox/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';

type RetentionSettings = Pick<Environment, 'CLIENT_DETAILS_KEPT' | 'UNFINISHED_ENTRIES_KEPT' | 'PRIVACY_REQUESTS_KEPT'>;

/**
 * Returns the retention periods as PostgreSQL intervals. The Privacy Policy ("How long we keep it") and the California
 * notice state the same ones (test/retention.integration.spec.ts compares them). Settings can shorten the first two,
 * and extend that of privacy requests, for which the policy states a minimum.
 */
export const retentionPeriods = (environment: RetentionSettings) => ({
  clientInfo: `${environment.CLIENT_DETAILS_KEPT} days`,
  unfinishedEntries: `${environment.UNFINISHED_ENTRIES_KEPT} months`,
  emergencyNotices: '90 days',
  privacyRequests: `${environment.PRIVACY_REQUESTS_KEPT} months`,
  events: '90 days',
});

export type RetentionKind = keyof ReturnType<typeof retentionPeriods>;

/** Max rows of a batch: keeps locks short and statements far below their timeout. */
export const retentionBatchSize = 500;

/** Removes a batch of what is older at a time (ISO 8601) than a period. Returns the number of rows. */
type RemoveBatch = (manager: EntityManager, now: string, period: string) => Promise<number>;

/** SQL: the time before which rows are due. */
const limit = '($1::timestamptz - $2::interval)';

/** Runs a statement on a batch of rows. Leaves rows locked by another transaction to the next run. */
const onBatch =
  (statement: string, table: string, isDue: string): RemoveBatch =>
  async (manager, ...parameters) => {
    const ids = `SELECT id FROM ${table} WHERE ${isDue} LIMIT ${retentionBatchSize} FOR UPDATE SKIP LOCKED`;
    const [, count] = await manager.query<[unknown, number]>(`${statement} WHERE id = ANY (ARRAY(${ids}))`, parameters);
    return count;
  };

const deletes = (table: string, isDue: string) => onBatch(`DELETE FROM ${table}`, table, isDue);

const clearsClientInfo = 'UPDATE waitlist_entry SET user_agent = NULL, language = NULL, network_address = NULL';
const clientInfoIsDue = `created_at < ${limit} AND num_nonnulls(user_agent, language, network_address) > 0`;

/** From the response on or, if none is recorded, from the due date: for questions about the request. */
const requestIsDue = `GREATEST(due_at, done_at) < ${limit}`;

/**
 * Delivered and dead events, and pending ones whose registration, notice or request is gone. Deletion events stay until
 * they are delivered. Ids begin with the time: comparing them reads old events only.
 */
const eventIsDue = `
  id < (SELECT uuidv7(${limit} - clock_timestamp()))
  AND (type NOT IN ('subscriber.expired', 'subscriber.forgotten') OR delivered_at IS NOT NULL)
  AND (num_nonnulls(delivered_at, dead_at) > 0
    OR NOT EXISTS (SELECT FROM waitlist_entry WHERE waitlist_entry.id = (data->>'entryId')::bigint)
      AND NOT EXISTS (SELECT FROM privacy_request WHERE privacy_request.reference = data->>'reference'))
`;

/** A completion notice counts too: its visitor saw the thank-you page, even if the call before it failed. */
const isUnfinished = 'num_nonnulls(completed_at, notice_received_at) = 0';

/**
 * Removes unfinished entries, and subscribers without any other, which the mail system has to delete, too. Locks
 * subscribers before their entries and ordered by id, like all code that locks both: any other order can deadlock with
 * `operator subscribers forget`. A signup with one of the addresses waits, and then inserts a new subscriber. Entries
 * that were completed or forgotten between the query and the lock no longer match, or are gone.
 */
async function removeUnfinished(manager: EntityManager, now: string, period: string): Promise<number> {
  const due = await manager
    .createQueryBuilder(WaitlistEntry, 'entry')
    .where(`created_at < :now::timestamptz - :period::interval AND ${isUnfinished}`, { now, period })
    .limit(retentionBatchSize)
    .getMany();
  const subscribers = { id: Any([...new Set(due.map(({ subscriberId }) => subscriberId))]) };
  await manager.find(Subscriber, { where: subscribers, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
  const entries = manager.createQueryBuilder().delete().from(WaitlistEntry);
  const { affected } = await entries
    .where({ id: Any(due.map(({ id }) => id)) })
    .andWhere(isUnfinished)
    .execute();
  const withoutEntry = 'NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = "subscriber".id)';
  const gone = manager.createQueryBuilder().delete().from(Subscriber).where(subscribers).andWhere(withoutEntry);
  const removed = (await gone.returning('email, now()').execute()).raw as readonly { email: string; now: Date }[];
  const data = removed.map(({ email, now }) => ({ email, expiredAt: now.toISOString() }));
  await storeEvents(manager, 'subscriber.expired', data);
  return affected ?? 0;
}

/** In the order of execution: events are last because removing an entry or request can make its event due. */
export const removals: readonly (readonly [RetentionKind, RemoveBatch])[] = [
  ['clientInfo', onBatch(clearsClientInfo, 'waitlist_entry', clientInfoIsDue)],
  ['unfinishedEntries', (manager, ...due) => manager.transaction((within) => removeUnfinished(within, ...due))],
  ['emergencyNotices', deletes('emergency_notice', `received_at < ${limit}`)],
  ['privacyRequests', deletes('privacy_request', requestIsDue)],
  ['events', deletes('outbox_event', eventIsDue)],
];
