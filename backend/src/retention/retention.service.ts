import type { DataSource, EntityManager } from 'typeorm';
import type { RetentionPeriods } from './retention-periods.ts';

/** Any number will do, as long as nothing else in this database locks on it. */
export const retentionLock = 7_305_222;

/** Rows that one transaction takes at most: none holds its locks for long, and none comes near the statement limit. */
export const retentionBatchSize = 500;

const forgetClientInfo = `
  UPDATE waitlist_entry SET user_agent = NULL, language = NULL, network_address = NULL
  WHERE id IN (
    SELECT id FROM waitlist_entry
    WHERE created_at < $1::timestamptz - $2::interval AND num_nonnulls(user_agent, language, network_address) > 0
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
`;

/** Who sent a completion notice saw the thank-you page: that counts as completed, even if the call before it failed. */
const deleteUnfinishedEntries = `
  DELETE FROM waitlist_entry
  WHERE id IN (
    SELECT id FROM waitlist_entry
    WHERE created_at < $1::timestamptz - $2::interval AND completed_at IS NULL AND notice_received_at IS NULL
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING subscriber_id AS id
`;

/** Held against a signup with the same address that begins now: it waits, and then makes the subscriber anew. */
const lockSubscribers = 'SELECT id FROM subscriber WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE';

/** A statement of its own, so that it sees the entries of signups that ended before the lock was there. */
const deleteSubscribersWithoutEntry = `
  DELETE FROM subscriber
  WHERE id = ANY ($1::bigint[]) AND NOT EXISTS (SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id)
`;

const deleteEmergencyNotices = `
  DELETE FROM emergency_notice
  WHERE id IN (
    SELECT id FROM emergency_notice
    WHERE received_at < $1::timestamptz - $2::interval
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
`;

/** Who asked may ask about it as long: from when it was answered, or, where nobody noted that, had to be. */
const deletePrivacyRequests = `
  DELETE FROM privacy_request
  WHERE id IN (
    SELECT id FROM privacy_request
    WHERE GREATEST(due_at, done_at) < $1::timestamptz - $2::interval
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
`;

/**
 * Events that have ended, and those that still wait but whose registration, notice or request is no longer kept. That an
 * address is to be forgotten stays until the mail system has taken it. Ids begin with the time, in ms, so that only old
 * events are read.
 */
const deleteEvents = `
  DELETE FROM outbox_event
  WHERE id IN (
    SELECT id FROM outbox_event
    WHERE id < rpad(lpad(to_hex((extract(epoch FROM $1::timestamptz - $2::interval) * 1000)::bigint), 12, '0'), 32, '0')::uuid
      AND (type <> 'subscriber.forgotten' OR delivered_at IS NOT NULL)
      AND (
        num_nonnulls(delivered_at, dead_at) > 0
        OR NOT EXISTS (SELECT FROM waitlist_entry WHERE waitlist_entry.id = (data->>'entryId')::bigint)
        AND NOT EXISTS (SELECT FROM privacy_request WHERE privacy_request.reference = data->>'reference')
      )
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
`;

/** Rows changed or deleted, of each kind. */
export type RetentionCounts = Readonly<Record<keyof RetentionPeriods, number>>;

/** Removes what the Privacy Policy says is not kept any longer. */
export class RetentionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly periods: RetentionPeriods,
  ) {}

  /**
   * Removes everything that is due at a time, in transactions of at most `retentionBatchSize` rows. Replicas that do
   * it at the same time keep out of each other's way; what one leaves, because another is at work, that one removes.
   *
   * @param stop ends the work after the transaction under way.
   */
  async removeDue(now: Date, stop?: AbortSignal): Promise<RetentionCounts> {
    const remove = (kind: keyof RetentionCounts, statement: string, after?: AfterBatch) =>
      this.inBatches(statement, [now, this.periods[kind], retentionBatchSize], after, stop);
    return {
      clientInfo: await remove('clientInfo', forgetClientInfo),
      unfinishedEntries: await remove('unfinishedEntries', deleteUnfinishedEntries, deleteLeftSubscribers),
      emergencyNotices: await remove('emergencyNotices', deleteEmergencyNotices),
      privacyRequests: await remove('privacyRequests', deletePrivacyRequests),
      events: await remove('events', deleteEvents),
    };
  }

  private async inBatches(
    statement: string,
    parameters: readonly unknown[],
    after: AfterBatch | undefined,
    stop: AbortSignal | undefined,
  ): Promise<number> {
    for (let removed = 0; ; ) {
      if (stop?.aborted) return removed;
      const batch = await this.dataSource.transaction(async (manager) => {
        const [{ locked }] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [retentionLock]);
        if (!locked) return [];
        const rows = await rowsOf(manager, statement, parameters);
        await after?.(manager, rows);
        return rows;
      });
      removed += batch.length;
      if (batch.length < retentionBatchSize) return removed;
    }
  }
}

type Rows = readonly { readonly id: number }[];
type AfterBatch = (manager: EntityManager, rows: Rows) => Promise<void>;

async function deleteLeftSubscribers(manager: EntityManager, rows: Rows): Promise<void> {
  const ids = [...new Set(rows.map(({ id }) => id))];
  if (ids.length === 0) return;
  await manager.query(lockSubscribers, [ids]);
  await manager.query(deleteSubscribersWithoutEntry, [ids]);
}

/** TypeORM answers an UPDATE or DELETE with its rows and their number. */
async function rowsOf(manager: EntityManager, statement: string, parameters: readonly unknown[]): Promise<Rows> {
  const [rows] = await manager.query<[Rows, number]>(statement, [...parameters]);
  return rows;
}
