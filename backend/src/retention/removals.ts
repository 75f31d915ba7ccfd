import type { EntityManager } from 'typeorm';
import type { Environment } from '../environment.ts';
import { insertEvent, isoTime } from '../outbox/index.ts';

/**
 * The retention periods as PostgreSQL intervals. The Privacy Policy and the California notice state the same ones.
 * Settings can shorten the first two, and extend that of privacy requests.
 */
export const retentionPeriods = (environment: RetentionSettings) => ({
  clientInfo: `${environment.CLIENT_DETAILS_KEPT} days`,
  unfinishedEntries: `${environment.UNFINISHED_ENTRIES_KEPT} months`,
  emergencyNotices: '90 days',
  privacyRequests: `${environment.PRIVACY_REQUESTS_KEPT} months`,
  events: '90 days',
});

export type RetentionSettings = Pick<
  Environment,
  'CLIENT_DETAILS_KEPT' | 'UNFINISHED_ENTRIES_KEPT' | 'PRIVACY_REQUESTS_KEPT'
>;
export type RetentionKind = keyof ReturnType<typeof retentionPeriods>;

/** Max rows of a batch: keeps locks short and statements far below their timeout. */
export const retentionBatchSize = 500;

const cutoff = '(now() - $1::interval)';

type RemoveBatch = (manager: EntityManager, parameters: unknown[]) => Promise<number>;

/** Runs a statement on a batch of rows. Leaves rows locked by another transaction to the next run. */
const onBatch =
  (statement: string, table: string, isDue: string): RemoveBatch =>
  async (manager, parameters) => {
    const ids = `SELECT id FROM ${table} WHERE ${isDue} LIMIT ${retentionBatchSize} FOR UPDATE SKIP LOCKED`;
    const [, count] = await manager.query<[unknown, number]>(`${statement} WHERE id = ANY (ARRAY(${ids}))`, parameters);
    return count;
  };

const deletes = (table: string, isDue: string) => onBatch(`DELETE FROM ${table}`, table, isDue);

const clearsClientInfo = 'UPDATE waitlist_entry SET user_agent = NULL, language = NULL, network = NULL';
const clientInfoIsDue = `created_at < ${cutoff} AND num_nonnulls(user_agent, language, network) > 0`;

/**
 * Delivered and dead events, and pending ones whose entry or privacy request is gone, or that have none. Deletion events
 * stay until they are delivered. Ids begin with the time, so that the index finds old events; a subquery is computed once.
 */
const eventIsDue = `
  id < (SELECT uuidv7(-$1::interval))
  AND (type NOT IN ('subscriber.expired', 'subscriber.forgotten') OR status = 'delivered')
  AND (status <> 'pending'
    OR NOT EXISTS (SELECT FROM waitlist_entry WHERE waitlist_entry.id = (data->>'entryId')::bigint)
      AND NOT EXISTS (SELECT FROM privacy_request WHERE privacy_request.reference = data->>'reference'))
`;

const entryIsDue = `created_at < ${cutoff} AND num_nonnulls(completed_at, notice_received_at) = 0`;

const owners = `SELECT subscriber_id FROM waitlist_entry WHERE ${entryIsDue} LIMIT ${retentionBatchSize}`;
const lockOwners = `SELECT id FROM subscriber WHERE id IN (${owners}) ORDER BY id FOR UPDATE`;
const deleteEntries = deletes('waitlist_entry', `${entryIsDue} AND subscriber_id = ANY ($2)`);
const deleteWithoutEntries = `
  WITH gone AS (
    DELETE FROM subscriber WHERE id = ANY ($1)
      AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id) RETURNING email
  )
  ${insertEvent('subscriber.expired', { email: 'email', expiredAt: isoTime('now()') }, 'FROM gone')}
`;

/**
 * Removes unfinished entries, and subscribers without any other, which the mail system has to delete, too. Locks
 * subscribers before their entries: the other order can deadlock with `operator subscribers forget`.
 */
const removeUnfinished: RemoveBatch = async (manager, parameters) => {
  const locked = (await manager.query<{ id: number }[]>(lockOwners, parameters)).map(({ id }) => id);
  const count = await deleteEntries(manager, [...parameters, locked]);
  await manager.query(deleteWithoutEntries, [locked]);
  return count;
};

/** In the order of execution: events are last because removing an entry or request can make its event due. */
export const removals: readonly (readonly [RetentionKind, RemoveBatch])[] = [
  ['clientInfo', onBatch(clearsClientInfo, 'waitlist_entry', clientInfoIsDue)],
  ['unfinishedEntries', removeUnfinished],
  ['emergencyNotices', deletes('emergency_notice', `received_at < ${cutoff}`)],
  ['privacyRequests', deletes('privacy_request', `GREATEST(due_at, done_at) < ${cutoff}`)],
  ['events', deletes('outbox_event', eventIsDue)],
];
