import type { Client } from 'pg';

export interface StoredEntry {
  readonly id: number;
  readonly step: number;
  readonly completed: boolean;
  readonly offers: readonly string[] | null;
  readonly userAgent: string | null;
  readonly network: string | null;
  readonly noticeSource: string | null;
}

/** Returns all entries of an address, oldest first. */
export async function entriesOf(database: Client, email: string): Promise<readonly StoredEntry[]> {
  const { rows } = await database.query(
    `SELECT entry.id::float8 AS id, step, completed_at IS NOT NULL AS completed, selected_offers AS offers,
            user_agent AS "userAgent", network::text AS network, notice_source AS "noticeSource"
       FROM waitlist_entry entry JOIN subscriber ON subscriber.id = entry.subscriber_id
      WHERE subscriber.email = $1
      ORDER BY entry.created_at`,
    [email],
  );
  return rows;
}
