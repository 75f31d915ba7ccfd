import type { DataSource, EntityManager } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';
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

/** A completion notice counts as completed: its visitor reached the thank-you page, even if the call before it failed. */
const isUnfinished = 'completed_at IS NULL AND notice_received_at IS NULL';

const findUnfinishedEntries = `
  SELECT id, subscriber_id AS "subscriberId" FROM waitlist_entry
  WHERE created_at < $1::timestamptz - $2::interval AND ${isUnfinished}
  LIMIT $3
`;

/**
 * Subscribers are locked before their entries, in the order of their ids, as by everybody who locks both: anything else
 * deadlocks with `operator subscribers forget`. A signup with one of the addresses waits, and then makes the subscriber anew.
 */
const lockSubscribers = 'SELECT id FROM subscriber WHERE id = ANY ($1::bigint[]) ORDER BY id FOR UPDATE';

/**
 * Entries that were completed or forgotten between the search and the lock no longer match, or are gone. Where the mail
 * system knew of an entry, and now the last one that it knew of is gone, an event tells it to delete the address.
 */
const deleteUnfinishedEntries = `
  WITH removed AS (
    DELETE FROM waitlist_entry WHERE id = ANY ($1::bigint[]) AND ${isUnfinished} RETURNING id, subscriber_id, suspected
  ), expired AS (
    SELECT email FROM subscriber
    WHERE id IN (SELECT subscriber_id FROM removed WHERE NOT suspected)
      AND NOT EXISTS (
        SELECT FROM waitlist_entry WHERE subscriber_id = subscriber.id AND NOT suspected AND id NOT IN (SELECT id FROM removed)
      )
  ), event AS (
    ${insertEvents('subscriber.expired', { email: 'email', expiredAt: isoTime('now()') }, 'expired')}
  )
  SELECT count(*) AS count FROM removed
`;

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
 * Events that have ended, and those that still wait but whose registration, notice or request is no longer kept. An
 * event that says to delete an address stays until the mail system has taken it. Ids begin with the time, in ms, so that only old
 * events are read.
 */
const deleteEvents = `
  DELETE FROM outbox_event
  WHERE id IN (
    SELECT id FROM outbox_event
    WHERE id < rpad(lpad(to_hex((extract(epoch FROM $1::timestamptz - $2::interval) * 1000)::bigint), 12, '0'), 32, '0')::uuid
      AND (type NOT IN ('subscriber.expired', 'subscriber.forgotten') OR delivered_at IS NOT NULL)
      AND (
        num_nonnulls(delivered_at, dead_at) > 0
        OR NOT EXISTS (SELECT FROM waitlist_entry WHERE waitlist_entry.id = (data->>'entryId')::bigint)
        AND NOT EXISTS (SELECT FROM privacy_request WHERE privacy_request.reference = data->>'reference')
      )
    LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING id
`;

export type RetentionKind = keyof RetentionPeriods;

/** What a run did: rows changed or deleted of each kind, and the errors of the kinds that failed. */
export interface RetentionResult {
  readonly counts: Readonly<Record<RetentionKind, number>>;
  readonly errors: Readonly<Partial<Record<RetentionKind, Error>>>;
}

/** The current time, the period of the kind as a PostgreSQL interval, and the batch size. */
type BatchParameters = readonly [now: Date, period: string, limit: number];
/** Removes at most `limit` rows in a transaction, and returns how many. */
type RemoveBatch = (manager: EntityManager, parameters: BatchParameters) => Promise<number>;

/** In the order in which they run: an event may be due because its entry or request was just removed. */
const removals: readonly (readonly [RetentionKind, RemoveBatch])[] = [
  ['clientInfo', running(forgetClientInfo)],
  ['unfinishedEntries', removeUnfinishedEntries],
  ['emergencyNotices', running(deleteEmergencyNotices)],
  ['privacyRequests', running(deletePrivacyRequests)],
  ['events', running(deleteEvents)],
];

/** Removes what the Privacy Policy says is not kept any longer. */
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
    for (const [kind, removeBatch] of removals) {
      try {
        for (let removed = 1; removed > 0 && !stop?.aborted; counts[kind] += removed)
          removed = await this.inTurn(removeBatch, [now, this.periods[kind], retentionBatchSize]);
      } catch (error) {
        errors[kind] = error as Error;
      }
    }
    return { counts, errors };
  }

  private inTurn(removeBatch: RemoveBatch, parameters: BatchParameters): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [{ locked }] = await manager.query('SELECT pg_try_advisory_xact_lock($1) AS locked', [retentionLock]);
      return locked ? removeBatch(manager, parameters) : 0;
    });
  }
}

async function removeUnfinishedEntries(manager: EntityManager, parameters: BatchParameters): Promise<number> {
  const due = await manager.query<{ id: number; subscriberId: number }[]>(findUnfinishedEntries, [...parameters]);
  const subscribers = [...new Set(due.map(({ subscriberId }) => subscriberId))];
  await manager.query(lockSubscribers, [subscribers]);
  const [{ count }] = await manager.query<[{ count: number }]>(deleteUnfinishedEntries, [due.map(({ id }) => id)]);
  await manager.query(deleteSubscribersWithoutEntry, [subscribers]);
  return count;
}

/** Runs an UPDATE or DELETE, for which TypeORM returns the rows and their number. */
function running(statement: string) {
  return async (manager: EntityManager, parameters: readonly unknown[]): Promise<number> => {
    const [, count] = await manager.query<[unknown[], number]>(statement, [...parameters]);
    return count;
  };
}
