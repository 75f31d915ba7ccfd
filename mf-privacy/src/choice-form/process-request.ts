import type { makePrivacyRequest, PrivacyRequestAnswer, SiteSettings } from '@daybook/contract';
import { ApiError, apiRequest } from '@daybook/platform';
import type { Answer, Choice } from './choice.tsx';

/** Minimum processing time in ms (docs/product.md, Constants). */
export const processingDelay = 1000;

/** The values of the form by the names of their fields. */
export type Answers = Readonly<Record<string, Answer>>;

/**
 * Processes a request: sends it to be stored, if the operator records requests, and waits; then logs the values to the
 * console, as one text that can be copied. Otherwise sends nothing (docs/product.md, Flows, "Privacy-choice forms").
 *
 * @returns the reference number; `undefined` if processing is simulated
 * @throws what `recordRequest` throws, after the wait
 */
export async function processRequest(
  { kind, requestName }: Pick<Choice, 'kind' | 'requestName'>,
  answers: Answers,
  { supportAddress, privacyRequests }: Pick<SiteSettings, 'supportAddress' | 'privacyRequests'>,
): Promise<string | undefined> {
  const recorded = privacyRequests === 'record' ? recordRequest(kind, answers) : undefined;
  const [result] = await Promise.allSettled([recorded, new Promise((resolve) => setTimeout(resolve, processingDelay))]);
  if (result.status === 'rejected') throw result.reason;
  console.log(`${requestName}, intended for ${supportAddress}: ${JSON.stringify(answers)}`);
  return result.value;
}

/** Text of docs/product.md (Errors). */
export const failureMessage = 'There was an error processing your request. Please try again.';

/** The call of the contract, as types only: its schemas would triple the size of these pages. */
const call: Pick<typeof makePrivacyRequest, 'method' | 'path'> = { method: 'POST', path: '/api/privacy-requests' };

/** The last request that has not been stored, and its idempotency key. */
let attempt: { readonly asked: string; readonly idempotencyKey: string } | undefined;

/**
 * Sends a request to be stored. A retry of the same request reuses its idempotency key until it succeeds, so that a
 * request with a lost response is not stored twice.
 *
 * @returns the reference number
 * @throws ApiError if the API rejects it; TypeError without a response; Error without a reference number
 */
async function recordRequest(kind: Choice['kind'], { email = '', ...fields }: Answers): Promise<string> {
  const request = { kind, email, fields, pageVersion: RELEASE_NAME };
  const asked = JSON.stringify(request);
  if (attempt?.asked !== asked) attempt = { asked, idempotencyKey: newKey() };
  const { idempotencyKey } = attempt;
  const response = await apiRequest(call.method, call.path, { ...request, idempotencyKey });
  const { reference } = (response ?? {}) as Partial<PrivacyRequestAnswer>;
  if (typeof reference !== 'string') throw new Error('The response has no reference number.');
  attempt = undefined;
  return reference;
}

/** Returns the API's own message for errors that the visitor can act on, otherwise the one of docs/product.md. */
export function describeFailure(error: unknown): string {
  const refusal = error instanceof ApiError ? error.refusal : undefined;
  const isForVisitor = refusal?.error === 'VALIDATION_FAILED' || refusal?.error === 'TOO_MANY_REQUESTS';
  return isForVisitor ? refusal.message : failureMessage;
}

/** Not `crypto.randomUUID()`, which is missing on pages without https. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
