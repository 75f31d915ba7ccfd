import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { PrivacyRequestResponse, PrivacyRequest as Request } from '@daybook/contract/api';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { sameAddress } from '../database/index.ts';
import { IdempotencyKeyReusedError } from '../errors.ts';
import { storeEvents } from '../outbox/index.ts';
import { Subscriber } from '../waitlist/index.ts';
import { dueDateOf } from './due-date.ts';
import { PrivacyRequest } from './privacy-request.entity.ts';

/** The row of an idempotency key, and whether the insert created it. */
type StoredRow = Pick<Request, 'kind' | 'email' | 'fields'> & {
  readonly reference: string;
  readonly due_at: Date;
  readonly is_new: boolean;
};

@Injectable()
export class PrivacyRequestsService {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores a request with its due date and event, and marks the subscriber if it is an unsubscribe. Idempotent: a retry
   * with the same key gets the response of the first.
   *
   * @param globalPrivacyControl whether the browser sent `Sec-GPC: 1`
   * @throws IdempotencyKeyReusedError
   */
  record(request: Request, globalPrivacyControl: boolean): Promise<PrivacyRequestResponse> {
    const { kind, email, fields, pageVersion, idempotencyKey } = request;
    const receivedAt = new Date();
    const row = { reference: newReferenceNumber(), kind, email, fields, pageVersion, globalPrivacyControl };
    const dueAt = dueDateOf(kind, receivedAt);
    return this.dataSource.transaction(async (manager) => {
      const { raw } = await manager
        .createQueryBuilder()
        .insert()
        .into(PrivacyRequest)
        .values({ ...row, idempotencyKey, receivedAt, dueAt })
        // Changes nothing, but waits for a concurrent request with the key and returns its row; DO NOTHING returns
        // none.
        .orUpdate(['idempotency_key'], ['idempotency_key'])
        // Named columns: PostgreSQL rejects a prepared `*` after a migration adds a column.
        .returning('reference, due_at, kind, email, fields, old.id IS NULL AS is_new')
        .execute();
      const [stored] = raw as [StoredRow];
      if (!stored.is_new) {
        const { reference, due_at, ...known } = stored;
        if (known.kind !== kind || known.email !== email || !isDeepStrictEqual(known.fields, fields))
          throw new IdempotencyKeyReusedError();
        return { reference, dueAt: due_at.toISOString() };
      }
      if (kind === 'unsubscribe' || kind === 'ca-unsubscribe')
        await manager.update(Subscriber, { email: sameAddress(email) }, { unsubscribedAt: receivedAt });
      const times = { receivedAt: receivedAt.toISOString(), dueAt: dueAt.toISOString() };
      await storeEvents(manager, 'privacy_request.received', [{ ...row, ...times }]);
      return { reference: row.reference, dueAt: times.dueAt };
    });
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
