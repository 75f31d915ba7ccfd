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

/** Throws what `apiRequest` throws. */
export async function signUp(signup: SignupRequest, signal: AbortSignal): Promise<CompletedSignup> {
  const { method, path } = callUrls.signUp;
  const received = await apiRequest(method, path, signup, { signal });
  return { email: signup.email, entryId: entryIdIn(received) };
}

/** What follows a success, also after the visitor has left the page. */
export function welcome({ email, entryId }: CompletedSignup): void {
  storeEmail(email);
  if (entryId !== undefined) advanceEntry(entryId);
  showToast(signupCopy.toasts.success);
}

/** Sends both calls at once, so that the entry becomes complete even if the visitor closes the tab during the first. */
function advanceEntry(id: number): void {
  const { setStep, complete } = callUrls;
  const logFailure = (call: string) => (error: unknown) => log('error', `The ${call} call after signup failed:`, error);
  apiRequest(setStep.method, pathOf(setStep, { id, step: lastStep })).catch(logFailure('step'));
  apiRequest(complete.method, pathOf(complete, { id })).catch(logFailure('complete'));
}

/** Returns the server's message if it has one. */
export function failureMessage(error: unknown): string {
  const message = error instanceof ApiError ? error.serverMessage : undefined;
  return message ?? signupCopy.unexpectedFailure;
}

const entryQuery = (id: number, email: string) => `id=${id}&email=${encodeURIComponent(email)}`;

export const offersUrl = (entryId: number, email: string) => `/continue-registration?${entryQuery(entryId, email)}`;

export const thankYouUrl = (entryId: number, email: string) => `/thank-you?${entryQuery(entryId, email)}`;
