import type { makePrivacyRequest, PrivacyRequestAnswer, PrivacyRequestKind } from '@daybook/contract';
import { ApiError, apiRequest } from '@daybook/platform';
import { failureMessage } from './choice-form-copy.ts';
import type { Answer } from './fields/field.tsx';
import { requestKeyOf } from './request-key.ts';

/** The call of the contract, by its types alone: its schemas would triple the weight of these pages. */
const call: Pick<typeof makePrivacyRequest, 'method' | 'path'> = { method: 'POST', path: '/api/privacy-requests' };

/** The API took the request, but did not say under which number. */
export class NoReferenceError extends Error {
  override readonly name = 'NoReferenceError';
}

/**
 * Sends a request to be stored; asking the same again before it was answered is the same request.
 *
 * @param answers of the form's fields, by name
 * @returns the reference number
 * @throws ApiError where the API refuses it; TypeError where no answer came; NoReferenceError
 */
export async function recordRequest(kind: PrivacyRequestKind, answers: Record<string, Answer>): Promise<string> {
  const { email = '', ...fields } = answers;
  const asked = { kind, email, fields, pageVersion: RELEASE_NAME };
  const request = { ...asked, idempotencyKey: requestKeyOf(JSON.stringify(asked)) };
  const answer = (await apiRequest(call.method, call.path, request)) as Partial<PrivacyRequestAnswer>;
  if (typeof answer?.reference !== 'string') throw new NoReferenceError('The answer has no reference number.');
  return answer.reference;
}

/** What the visitor can do something about is told in the API's own words; all else as the product document says. */
export function describeFailure(error: unknown): string {
  const refusal = error instanceof ApiError ? error.refusal : undefined;
  const isForVisitor = refusal?.error === 'VALIDATION_FAILED' || refusal?.error === 'TOO_MANY_REQUESTS';
  return isForVisitor ? refusal.message : failureMessage;
}
