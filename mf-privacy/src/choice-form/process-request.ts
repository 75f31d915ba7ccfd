import type { PrivacyRequestResponse } from '@daybook/contract/api';
import { callUrls } from '@daybook/contract/calls';
import type { SiteSettings } from '@daybook/contract/site';
import { ApiError, apiRequest } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import type { Choice, FieldValue } from './choice.tsx';

/** Minimum processing time in ms (docs/product.md, Constants). */
const processingDelay = 1000;

/** The values of the form by the names of their fields. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/**
 * Processes a request: sends it to be stored, if the operator records requests, and waits; then logs the values to the
 * console, as one text that can be copied. Otherwise sends nothing (docs/product.md, Privacy choices).
 *
 * @returns the reference number; `undefined` if processing is simulated
 * @throws what `recordRequest` throws, after the wait
 */
export async function processRequest(
  { kind, requestName }: Pick<Choice, 'kind' | 'requestName'>,
  values: FieldValues,
  { supportAddress, privacyRequests }: Pick<SiteSettings, 'supportAddress' | 'privacyRequests'>,
): Promise<string | undefined> {
  const recorded = privacyRequests === 'record' ? recordRequest(kind, values) : undefined;
  const [result] = await Promise.allSettled([recorded, new Promise((resolve) => setTimeout(resolve, processingDelay))]);
  if (result.status === 'rejected') throw result.reason;
  log('log', `${requestName}, intended for ${supportAddress}: ${JSON.stringify(values)}`);
  return result.value;
}

/** Text of docs/product.md (Errors). */
const defaultFailure = 'There was an error processing your request. Please try again.';

/**
 * Sends a request to be stored. A retry after a lost response is safe: the API stores an equal open request once.
 *
 * @returns the reference number
 * @throws ApiError if the API rejects it; TypeError without a response; Error without a reference number
 */
async function recordRequest(kind: Choice['kind'], { email = '', ...fields }: FieldValues): Promise<string> {
  const { method, path } = callUrls.makePrivacyRequest;
  const response = await apiRequest(method, path, { kind, email, fields, pageVersion: RELEASE_NAME });
  const { reference } = (response ?? {}) as Partial<PrivacyRequestResponse>;
  if (typeof reference !== 'string') throw new Error('The response has no reference number.');
  return reference;
}

/** Returns the server's message for errors that the visitor can act on, otherwise the one of docs/product.md. */
export function failureMessage(error: unknown): string {
  const isForVisitor = error instanceof ApiError && (error.status === 400 || error.status === 429);
  return (isForVisitor && error.serverMessage) || defaultFailure;
}
