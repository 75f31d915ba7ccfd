import type { PrivacyRequest as Request } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { insertEvents, isoTime } from '../outbox/index.ts';
import type { PrivacyRequest } from './privacy-request.entity.ts';

/**
 * Request, mark at the subscriber and event in one statement, so that there is never the one without the others. A
 * request with a known key changes nothing: `DO UPDATE` only gives back the row that is there. Addresses are compared
 * without regard to case: hardly a mailbox minds it, and who wants no mail shall not get it for a capital letter.
 */
const store = `
  WITH request AS (
    INSERT INTO privacy_request (
      idempotency_key, reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at
    ) VALUES ($1, $2, $3::text, $4::text, $5::jsonb, $6, $7, $8, $9)
    ON CONFLICT (idempotency_key) DO UPDATE SET idempotency_key = excluded.idempotency_key
    RETURNING privacy_request.*, old.id IS NULL AS is_new
  ), marked AS (
    UPDATE subscriber SET unsubscribed_at = request.received_at FROM request
    WHERE is_new AND kind IN ('unsubscribe', 'ca-unsubscribe') AND lower(subscriber.email) = lower(request.email)
  ), event AS (
    ${insertEvents(
      'privacy_request.received',
      {
        reference: 'reference',
        kind: 'kind',
        email: 'email',
        fields: 'fields',
        pageVersion: 'page_version',
        globalPrivacyControl: 'global_privacy_control',
        receivedAt: isoTime('received_at'),
        dueAt: isoTime('due_at'),
      },
      'request WHERE is_new',
    )}
  )
  SELECT reference, due_at AS "dueAt", kind = $3 AND email = $4 AND fields = $5 AS "isSame" FROM request
`;

const list = `
  SELECT reference, kind, email, fields, page_version AS "pageVersion",
    global_privacy_control AS "globalPrivacyControl", received_at AS "receivedAt", due_at AS "dueAt", done_at AS "doneAt"
  FROM privacy_request
  WHERE ($1::boolean IS NULL OR (done_at IS NOT NULL) = $1) AND ($2::timestamptz IS NULL OR due_at < $2)
  ORDER BY due_at, id LIMIT $3 OFFSET $4
`;

const markDone =
  'UPDATE privacy_request SET done_at = COALESCE(done_at, now()) WHERE reference = $1 RETURNING reference';

/** A request as it came, with what this server adds to it. */
export interface ReceivedRequest extends Pick<Request, 'kind' | 'email' | 'fields' | 'pageVersion' | 'idempotencyKey'> {
  readonly reference: string;
  readonly globalPrivacyControl: boolean;
  readonly receivedAt: Date;
  readonly dueAt: Date;
}

/** What is stored under the key of a request. */
export interface StoredRequest {
  readonly reference: string;
  readonly dueAt: Date;
  /** Whether it asks for the same as the request that was given. */
  readonly isSame: boolean;
}

export interface PrivacyRequestQuery {
  readonly state?: 'open' | 'done';
  /** Only those that have to be processed before this moment. */
  readonly dueBefore?: Date;
  /** How many at most, and how many of the first are left out. */
  readonly limit: number;
  readonly offset?: number;
}

/** A request as operators see it. */
export type ListedRequest = Omit<PrivacyRequest, 'id' | 'idempotencyKey'>;

/** The recorded privacy requests. It needs nothing but a connection, also outside of the server. */
@Injectable()
export class PrivacyRequestRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores a request unless there is one with its key; gives the one that is there. */
  async store(request: ReceivedRequest): Promise<StoredRequest> {
    const { idempotencyKey, reference, kind, email, fields, pageVersion } = request;
    const { globalPrivacyControl, receivedAt, dueAt } = request;
    const [stored] = await this.dataSource.query<[StoredRequest]>(store, [
      idempotencyKey,
      reference,
      kind,
      email,
      JSON.stringify(fields),
      pageVersion,
      globalPrivacyControl,
      receivedAt,
      dueAt,
    ]);
    return stored;
  }

  /** For operators: the requests that have to be processed first, first. */
  list({ state, dueBefore, limit, offset = 0 }: PrivacyRequestQuery): Promise<ListedRequest[]> {
    const isDone = state === undefined ? null : state === 'done';
    return this.dataSource.query<ListedRequest[]>(list, [isDone, dueBefore, limit, offset]);
  }

  /** For operators: notes that a request was processed; the first time stays. Gives whether there is such a request. */
  async markDone(reference: string): Promise<boolean> {
    const [rows] = await this.dataSource.query<[unknown[], number]>(markDone, [reference]);
    return rows.length > 0;
  }
}
