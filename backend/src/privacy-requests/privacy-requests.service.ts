import { randomInt } from 'node:crypto';
import type { PrivacyRequestResponse, PrivacyRequest as Request } from '@daybook/contract/api';
import type { EventData } from '@daybook/contract/events';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, LessThan, MoreThan, Raw } from 'typeorm';
import { mailboxOf, sameEmail } from '../database/index.ts';
import { type Environment, environmentToken } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import { insertEvent, isReportedAsSubscribed } from '../outbox/index.ts';
import { dayLength, dueDateOf } from './due-date.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';

/** Each contains the other: unlike equality, this ignores the order in which categories were ticked. */
const sameFields = (fields: Request['fields']) =>
  Raw((column) => `${column} @> CAST(:fields AS jsonb) AND ${column} <@ CAST(:fields AS jsonb)`, {
    fields: JSON.stringify(fields),
  });

/**
 * Marks the subscriber of an email as unsubscribed. The time is the database's, from after the wait for the
 * subscriber's row, like that of a signup: receivers let the later one win, and the clocks of backends may differ. One
 * statement for known and unknown emails: the number of statements would reveal by the response's time who is subscribed.
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

/**
 * Stores the event of a new request ($2), or of a repeated unsubscribe that has ended a subscription ($3) which the mail system
 * knows of. In a statement of its own, after the wait for the subscriber's row: it sees the event of the signup before.
 */
const storeEvent = insertEvent(
  'privacy_request.received',
  '$1::jsonb',
  `WHERE $2 OR $3 AND ${isReportedAsSubscribed("$1::jsonb->>'email'")}`,
);

@Injectable()
export class PrivacyRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: Metrics,
    @Inject(environmentToken) private readonly environment: Environment,
  ) {
    metrics.watchPrivacyRequests(() =>
      dataSource.manager.countBy(PrivacyRequest, { doneAt: IsNull(), dueAt: LessThan(new Date()) }),
    );
  }

  /**
   * Stores a request with its due date and event, and marks the subscriber if it is an unsubscribe. A repeat of an equal
   * request that is open and not yet due stores nothing; an unsubscribe whose email has signed up since is reported
   * again, if that signup was: alternating both would otherwise send as many events as somebody likes.
   *
   * The response to a repeat has the reference of the open request, and a due date counted from now: to anybody who asks
   * for the first time it looks like that to a new request.
   *
   * @param globalPrivacyControl whether the browser sent `Sec-GPC: 1`
   * @throws TooManyRequestsError if too many requests of the kind were stored for the email in a day
   */
  record(request: Request, globalPrivacyControl: boolean): Promise<PrivacyRequestResponse> {
    const { kind, email, fields, pageVersion } = request;
    const row = { kind, email, fields, pageVersion, globalPrivacyControl };
    return this.dataSource.transaction(async (manager) => {
      // Until this transaction ends, other requests for the email wait, so that equal ones find this one.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('privacy_request'), hashtext(${mailboxOf('$1')}))`, [
        email,
      ]);
      const isUnsubscribe = kind === 'unsubscribe' || kind === 'ca-unsubscribe';
      const [{ at: receivedAt, hasEnded }] = await manager.query<[{ at: Date; hasEnded: boolean }]>(unsubscribe, [
        email,
        isUnsubscribe,
      ]);
      const dueAt = dueDateOf(kind, receivedAt);
      const open = await manager.findOneBy(PrivacyRequest, {
        kind,
        email: sameEmail(email),
        fields: sameFields(fields),
        doneAt: IsNull(),
        dueAt: MoreThan(receivedAt),
      });
      const reference = open?.reference ?? newReferenceNumber();
      if (!open) {
        const exceeded = await this.findExceededLimit(manager, request, receivedAt);
        // Never rejects an unsubscribe that has an effect: otherwise repeated signups and unsubscribes by a stranger
        // would keep somebody subscribed for a day.
        if (exceeded && !hasEnded) {
          this.metrics.rateLimitHits.inc({ limit: 'address_privacy_requests' });
          throw exceeded;
        }
        await manager.insert(PrivacyRequest, { ...row, reference, receivedAt, dueAt });
      }
      const times = { receivedAt: receivedAt.toISOString(), dueAt: (open?.dueAt ?? dueAt).toISOString() };
      const data: EventData<'privacy_request.received'> = { ...row, reference, ...times };
      await manager.query(storeEvent, [data, !open, hasEnded]);
      return { reference, dueAt: dueAt.toISOString() };
    });
  }

  private async findExceededLimit(
    manager: EntityManager,
    { kind, email }: Request,
    now: Date,
  ): Promise<TooManyRequestsError | undefined> {
    const [oldest] = await manager.find(PrivacyRequest, {
      select: { id: true, receivedAt: true },
      where: { kind, email: sameEmail(email), receivedAt: MoreThan(new Date(now.getTime() - dayLength)) },
      order: { receivedAt: 'DESC' },
      skip: this.environment.LIMIT_ADDRESS_PRIVACY_REQUESTS - 1,
      take: 1,
    });
    if (!oldest) return undefined;
    const wait = oldest.receivedAt.getTime() + dayLength - now.getTime();
    return new TooManyRequestsError(
      Math.max(1, Math.ceil(wait / 1000)),
      'There were too many requests for this email address today. Please try again tomorrow, or write to our support.',
    );
  }
}

/** Crockford's base 32: without I, L, O and U, which are misread, misheard or form words. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns a new reference number, such as `K7QM-3XTA-9VD2`: short enough to read out on the phone. 60 random bits
 * instead of a sequence: reveals neither the number of requests nor other references. With a million stored, a new one
 * collides once in a million million.
 */
export function newReferenceNumber(): string {
  const group = () => Array.from({ length: 4 }, () => digits[randomInt(digits.length)]).join('');
  return Array.from({ length: 3 }, group).join('-');
}
