import type { DataSource } from 'typeorm';

/** What is kept of one address, in the names of the database; times as ISO 8601. */
export interface SubscriberRecord {
  readonly email: string;
  /** Null where the address never signed up, and only something else of it is kept. */
  readonly subscriber: { readonly created_at: string; readonly unsubscribed_at: string | null } | null;
  readonly entries: readonly {
    readonly id: number;
    readonly created_at: string;
    readonly suspected: boolean;
    readonly step: number;
    readonly completed_at: string | null;
    readonly selected_offers: readonly string[] | null;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly zip_code: string | null;
    readonly user_agent: string | null;
    readonly language: string | null;
    readonly network_address: string | null;
    readonly notice_source: string | null;
    readonly notice_timestamp: string | null;
    readonly notice_received_at: string | null;
  }[];
  /** Signups and unsubscribes in the order of time; unsubscribes also of an address that differs in case alone. */
  readonly history: readonly {
    readonly at: string;
    readonly what: 'signup' | 'unsubscribe' | 'ca-unsubscribe';
    /** The id of the entry, or the reference number of the request. */
    readonly reference: string;
  }[];
  readonly emergency_notices: readonly {
    readonly received_at: string;
    readonly source: string;
    readonly client_timestamp: string;
  }[];
  readonly privacy_requests: readonly {
    readonly reference: string;
    readonly kind: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly page_version: string;
    readonly global_privacy_control: boolean;
    readonly received_at: string;
    readonly due_at: string;
    readonly done_at: string | null;
  }[];
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly created_at: string;
    readonly attempts: number;
    readonly delivered_at: string | null;
    readonly dead_at: string | null;
  }[];
}

const list = (columns: string, from: string, order: string) =>
  `COALESCE((SELECT json_agg(to_json(each)) FROM (SELECT ${columns} FROM ${from} ORDER BY ${order}) each), '[]')`;

/** All in one statement: a record is of one moment. */
const selectRecord = `
  SELECT json_build_object(
    'email', $1::text,
    'subscriber', (SELECT json_build_object('created_at', created_at, 'unsubscribed_at', unsubscribed_at) FROM subscriber WHERE email = $1),
    'entries', ${list(
      `waitlist_entry.id, waitlist_entry.created_at, suspected, step, completed_at, selected_offers, first_name, last_name, zip_code,
       user_agent, language, network_address, notice_source, notice_timestamp, notice_received_at`,
      'waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id WHERE email = $1',
      'waitlist_entry.created_at',
    )},
    'history', ${list(
      '*',
      `(SELECT waitlist_entry.created_at AS at, 'signup' AS what, waitlist_entry.id::text AS reference
        FROM waitlist_entry JOIN subscriber ON subscriber.id = subscriber_id WHERE email = $1
        UNION ALL SELECT received_at, kind, reference FROM privacy_request
        WHERE lower(email) = lower($1) AND kind IN ('unsubscribe', 'ca-unsubscribe')) AS changes`,
      'at',
    )},
    'emergency_notices', ${list('received_at, source, client_timestamp', 'emergency_notice WHERE email = $1', 'received_at')},
    'privacy_requests', ${list(
      'reference, kind, fields, page_version, global_privacy_control, received_at, due_at, done_at',
      'privacy_request WHERE email = $1',
      'received_at',
    )},
    'events', ${list(
      'id, type, created_at, attempts, delivered_at, dead_at',
      `outbox_event WHERE data->>'email' = $1`,
      'id',
    )}
  ) AS record
`;

/** Everything that is kept of an address; undefined where there is nothing. */
export async function readRecord(dataSource: DataSource, email: string): Promise<SubscriberRecord | undefined> {
  const [{ record }] = await dataSource.query<[{ record: SubscriberRecord }]>(selectRecord, [email]);
  const { subscriber, entries, emergency_notices, privacy_requests, events } = record;
  return subscriber || [entries, emergency_notices, privacy_requests, events].some(({ length }) => length > 0)
    ? record
    : undefined;
}

/** Names addresses that differ from one in upper and lower case alone: to us they are others. */
export async function describeSimilar(dataSource: DataSource, email: string): Promise<readonly string[]> {
  const rows = await dataSource.query<{ email: string }[]>(
    'SELECT email FROM subscriber WHERE lower(email) = lower($1) AND email <> $1 ORDER BY email LIMIT 5',
    [email],
  );
  const others = rows.map((row) => row.email).join(', ');
  return others === '' ? [] : [`There is ${others}: upper and lower case count before the @.`];
}

/** That nothing is kept of an address, and whether one that looks like it is known. */
export async function describeUnknown(dataSource: DataSource, email: string): Promise<string> {
  return [`Nothing is kept of ${email}.`, ...(await describeSimilar(dataSource, email))].join(' ');
}
