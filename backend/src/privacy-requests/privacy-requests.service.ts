import { randomInt } from 'node:crypto';
import type { PrivacyRequestResponse, PrivacyRequest as Request } from '@daybook/contract/api';
import type { EventData } from '@daybook/contract/events';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan } from 'typeorm';
import { mailboxOf, sameEmail } from '../database/index.ts';
import { type Environment, environmentToken } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import { insertEvent } from '../outbox/index.ts';
import { dayLength, dueDateOf } from './due-date.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';

/**
 * Marks the subscriber of an email as unsubscribed. The time is from after the wait for the subscriber's row, like that
 * of a signup: receivers let the later one win. One statement for known and unknown emails, since the response's time
 * would reveal the number of statements.
 */
const unsubscribe = `
  WITH ended AS (
    UPDATE subscriber SET unsubscribed_at = clock_timestamp()
    WHERE ${mailboxOf('email')} = ${mailboxOf('$1')} AND unsubscribed_at IS NULL AND $2
    RETURNING unsubscribed_at
  )
  SELECT coalesce(unsubscribed_at, clock_timestamp()) AS at, unsubscribed_at IS NOT NULL AS "hasEnded"
  FROM (VALUES (0)) AS always LEFT JOIN ended ON true
`;

const storeRequest = `
  INSERT INTO privacy_request AS stored
    (reference, kind, email, fields, page_version, global_privacy_control, received_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (kind, ${mailboxOf('email')}, md5(fields::text)) WHERE done_at IS NULL
  DO UPDATE SET due_at = CASE WHEN stored.due_at < $7 THEN excluded.due_at ELSE stored.due_at END
  RETURNING new.reference, new.due_at AS "dueAt", old.due_at < $7 AS "wasOverdue"
`;

/** In a statement of its own, after the wait for the subscriber's row: its id is later than that of the signup before. */
const storeEvent = insertEvent('privacy_request.received', '$1::jsonb', 'WHERE $2');

interface StoredRequest {
  readonly reference: string;
  readonly dueAt: Date;
  /** `null` for a new one. */
  readonly wasOverdue: boolean | null;
}

@Injectable()
export class PrivacyRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    @Inject(environmentToken) private readonly environment: Environment,
  ) {
    metrics.addGauge('daybook_privacy_requests_overdue', 'Privacy requests that are open after their due date', () =>
      dataSource.manager.countBy(PrivacyRequest, { doneAt: IsNull(), dueAt: LessThan(new Date()) }),
    );
  }

  /**
   * Stores a request with its due date and event, and marks the subscriber if it is an unsubscribe. A repeat of an open
   * request stores nothing, and its response looks like that to a new one. An overdue one is due later and reported again,
   * as is an unsubscribe whose email has signed up since.
   *
   * @param globalPrivacyControl whether the browser sent `Sec-GPC: 1`
   * @throws TooManyRequestsError if too many requests of the kind were stored for the email in a day
   */
  record(request: Request, globalPrivacyControl: boolean): Promise<PrivacyRequestResponse> {
    const { kind, email, fields, pageVersion } = request;
    return this.dataSource.transaction(async (manager) => {
      const isUnsubscribe = kind === 'unsubscribe' || kind === 'ca-unsubscribe';
      const [{ at: receivedAt, hasEnded }] = await manager.query<[{ at: Date; hasEnded: boolean }]>(unsubscribe, [
        email,
        isUnsubscribe,
      ]);
      const dueAt = dueDateOf(kind, receivedAt);
      const row = [newReferenceNumber(), kind, email, fields, pageVersion, globalPrivacyControl, receivedAt, dueAt];
      const [stored] = await manager.query<[StoredRequest]>(storeRequest, row);
      const { reference, wasOverdue } = stored;
      const isNew = reference === row[0];
      if (isNew) await this.checkLimit(manager, request, receivedAt, hasEnded);
      const times = { receivedAt: receivedAt.toISOString(), dueAt: stored.dueAt.toISOString() };
      const data = { kind, email, fields, pageVersion, globalPrivacyControl, reference, ...times };
      await manager.query(storeEvent, [
        data satisfies EventData<'privacy_request.received'>,
        isNew || wasOverdue || hasEnded,
      ]);
      return { reference, dueAt: dueAt.toISOString() };
    });
  }

  /** @param hasEnded whether it ended a subscription; that is never rejected, but takes the same statements */
  private async checkLimit(manager: EntityManager, { kind, email }: Request, now: Date, hasEnded: boolean) {
    const [oldest] = await manager.find(PrivacyRequest, {
      select: { id: true, receivedAt: true },
      where: { kind, email: sameEmail(email), receivedAt: MoreThan(new Date(now.getTime() - dayLength)) },
      order: { receivedAt: 'DESC' },
      // The request that was just stored is the newest.
      skip: this.environment.LIMIT_ADDRESS_PRIVACY_REQUESTS,
      take: 1,
    });
    if (!oldest || hasEnded) return;
    this.metrics.rateLimitHits.inc({ limit: 'address_privacy_requests' });
    const wait = oldest.receivedAt.getTime() + dayLength - now.getTime();
    throw new TooManyRequestsError(
      Math.max(1, Math.ceil(wait / 1000)),
      'There were too many requests for this email address today. Please try again tomorrow, or write to our support.',
    );
  }
}

/** Crockford's base 32: without I, L, O and U, which are misread, misheard or form words. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newReferenceNumber(): string {
  const group = () => Array.from({ length: 4 }, () => digits[randomInt(digits.length)]).join('');
  return Array.from({ length: 3 }, group).join('-');
}
