import type { PrivacyRequest, PrivacyRequestAnswer } from '@daybook/contract';
import { Injectable } from '@nestjs/common';
import { dueDateOf } from './due-date.ts';
import { PrivacyRequestRepository } from './privacy-request.repository.ts';
import { IdempotencyKeyReusedError } from './privacy-requests.errors.ts';
import { newReferenceNumber } from './reference-number.ts';

@Injectable()
export class PrivacyRequestsService {
  constructor(private readonly requests: PrivacyRequestRepository) {}

  /**
   * Records a request with its due date, marks the subscriber where it is an unsubscribe, and tells the mail system. A
   * further attempt with the same key gets the first one's answer.
   *
   * @param globalPrivacyControl whether the browser sent the signal
   * @throws IdempotencyKeyReusedError
   */
  async record(request: PrivacyRequest, globalPrivacyControl: boolean): Promise<PrivacyRequestAnswer> {
    const receivedAt = new Date();
    const { reference, dueAt, isSame } = await this.requests.store({
      ...request,
      reference: newReferenceNumber(),
      globalPrivacyControl,
      receivedAt,
      dueAt: dueDateOf(request.kind, receivedAt),
    });
    if (!isSame) throw new IdempotencyKeyReusedError();
    return { reference, dueAt: dueAt.toISOString() };
  }
}
