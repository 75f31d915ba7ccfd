import type { makePrivacyRequest, PrivacyRequestAnswer, PrivacyRequestKind, SiteSettings } from '@daybook/contract';
import { ApiError, apiRequest } from '@daybook/platform';
import type { Answer, Field } from './field.tsx';

/** Processing takes at least this many ms (product document, section 9). */
export const processingDelay = 1000;

interface ChoiceRequest {
  readonly kind: PrivacyRequestKind;
  readonly requestName: string;
  /** With the visitor's answers in them. */
  readonly fields: readonly Field[];
  readonly settings: Pick<SiteSettings, 'supportAddress' | 'privacyRequests'>;
}

/** What became of a request. */
export interface ProcessedRequest {
  /** The number under which it is stored; there is none where processing is simulated. */
  readonly reference?: string | undefined;
}

const tidy = (answer: Answer) => (typeof answer === 'string' ? answer.trim() : answer);

/**
 * Processes a request: has it stored, where the operator records requests, and waits; then writes the details to the
 * console, as one text that can be copied whole. Where the operator does not, nothing is sent anywhere (product
 * document, section 4, "Privacy-choice forms").
 *
 * @throws what `recordRequest` throws, after the wait
 */
export async function processRequest({
  kind,
  requestName,
  fields,
  settings,
}: ChoiceRequest): Promise<ProcessedRequest> {
  const details = Object.fromEntries(fields.map(({ name, answer }) => [name, tidy(answer)]));
  const recorded = settings.privacyRequests === 'record' ? recordRequest(kind, details) : undefined;
  const [result] = await Promise.allSettled([recorded, new Promise((resolve) => setTimeout(resolve, processingDelay))]);
  if (result.status === 'rejected') throw result.reason;
  console.log(`${requestName}, intended for ${settings.supportAddress}: ${JSON.stringify(details)}`);
  return { reference: result.value };
}

/** Wording of section 8 of the product document. */
export const failureMessage = 'There was an error processing your request. Please try again.';

/** The call of the contract, by its types alone: its schemas would triple the weight of these pages. */
const call: Pick<typeof makePrivacyRequest, 'method' | 'path'> = { method: 'POST', path: '/api/privacy-requests' };

/** The API took the request, but did not say under which number. */
class NoReferenceError extends Error {
  override readonly name = 'NoReferenceError';
}

/**
 * Sends a request to be stored; asking the same again before it was answered is the same request.
 *
 * @param answers of the form's fields, by name
 * @returns the reference number
 * @throws ApiError where the API refuses it; TypeError where no answer came; NoReferenceError
 */
async function recordRequest(kind: PrivacyRequestKind, answers: Record<string, Answer>): Promise<string> {
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

/** What is being asked, and the key under which it goes to the API. */
let attempt: { readonly asked: string; readonly key: string } | undefined;

/**
 * The idempotency key of a request: random, and the same for each further attempt to ask the same, so that a request
 * whose answer was lost is not stored twice.
 */
function requestKeyOf(asked: string): string {
  if (attempt?.asked !== asked) attempt = { asked, key: newKey() };
  return attempt.key;
}

/** Asking the same once more is another request from now on. */
export function forgetRequestKey(): void {
  attempt = undefined;
}

/** Not `crypto.randomUUID()`: a page without https has none. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
