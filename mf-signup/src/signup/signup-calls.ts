import type { Signup as SignupRequest } from '@daybook/contract/api';
import { callUrls, entryIdIn, lastStep, pathOf } from '@daybook/contract/calls';
import { ApiError, apiRequest, showToast, storeEmail } from '@daybook/platform';
import { log } from '@daybook/platform/log';
import { signupCopy } from './signup-copy.ts';

/** A signup that the API accepted. Without an entry id the journey ends here. */
export interface CompletedSignup {
  readonly email: string;
  readonly entryId: number | undefined;
}

/**
 * Signs an email address up. A response without an entry id still counts as signed up.
 *
 * @throws what `apiRequest` throws
 */
export async function signUp(signup: SignupRequest, signal: AbortSignal): Promise<CompletedSignup> {
  const { method, path } = callUrls.signUp;
  const received = await apiRequest(method, path, signup, { signal });
  return { email: signup.email, entryId: entryIdIn(received) };
}

/** What follows a success, also after the visitor has left the page. */
export function welcome({ email, entryId }: CompletedSignup): void {
  storeEmail(email);
  if (entryId !== undefined) void advanceEntry(entryId);
  showToast(signupCopy.toasts.success);
}

/**
 * Moves a new entry to its last step and marks it complete (docs/product.md, Signup). Sends both calls at once, in this
 * order: the entry becomes complete even if the visitor closes the tab during the first. The visitor is subscribed
 * either way, so a failure is only logged and never thrown.
 */
async function advanceEntry(id: number): Promise<void> {
  const { setStep, complete } = callUrls;
  const logFailure = (call: string) => (error: unknown) => log('error', `The ${call} call after signup failed:`, error);
  await Promise.all([
    apiRequest(setStep.method, pathOf(setStep, { id, step: lastStep })).catch(logFailure('step')),
    apiRequest(complete.method, pathOf(complete, { id })).catch(logFailure('complete')),
  ]);
}

/** Returns the message for a failed signup: the server's if it has one. */
export function failureMessage(error: unknown): string {
  const message = error instanceof ApiError ? error.serverMessage : undefined;
  return message ?? signupCopy.unexpectedFailure;
}

const entryQuery = (id: number, email: string) => `id=${id}&email=${encodeURIComponent(email)}`;

/** Returns the URL of the bonus offers of an entry. */
export const offersUrl = (entryId: number, email: string) => `/continue-registration?${entryQuery(entryId, email)}`;

/** Returns the URL of the page that thanks for an entry. */
export const thankYouUrl = (entryId: number, email: string) => `/thank-you?${entryQuery(entryId, email)}`;
