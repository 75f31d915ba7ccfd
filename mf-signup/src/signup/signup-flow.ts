import { entryIdIn, lastStep, pathOf, type Signup, waitlistCalls } from '@daybook/contract';
import { ApiError, apiRequest } from '@daybook/platform';
import { signupCopy } from './signup-copy.ts';

/** How long the completed state stays before the visitor is taken on, in ms (product document, section 9). */
export const redirectDelay = 1500;

/** A signup that the API accepted. Without an entry id there is nothing to continue with. */
export interface CompletedSignup {
  readonly email: string;
  readonly entryId: number | undefined;
}

/** Signs an address up; throws what `apiRequest` throws. A response without an entry id still counts as signed up. */
export async function signUp(signup: Signup): Promise<CompletedSignup> {
  const { method, path } = waitlistCalls.signUp;
  const received = await apiRequest(method, path, signup);
  return { email: signup.email, entryId: entryIdIn(received) };
}

/**
 * Moves a new entry to its last step and marks it complete (product document, section 4). Both calls are sent at once, in
 * this order: somebody who closes the tab while the first is under way is complete nevertheless. The visitor is
 * subscribed either way, so a failure is only logged (section 8) and never thrown.
 */
export async function advanceEntry(id: number): Promise<void> {
  await Promise.all([
    attempt('step', 'PUT', pathOf(waitlistCalls.setStep, { id, step: lastStep })),
    attempt('complete', 'PUT', pathOf(waitlistCalls.complete, { id })),
  ]);
}

async function attempt(call: string, method: string, path: string): Promise<void> {
  try {
    await apiRequest(method, path);
  } catch (error) {
    console.error(`The ${call} call after signup failed:`, error);
  }
}

/** What the visitor is told about a signup that failed: the API's own words where it has some. */
export function describeFailure(error: unknown): string {
  const message = error instanceof ApiError ? error.refusal?.message : undefined;
  return message || signupCopy.unexpectedFailure;
}

/** Where the visitor goes after the redirect delay. */
export function thankYouAddress({ email, entryId }: CompletedSignup): string {
  return entryId === undefined ? '/' : `/thank-you?${entryQuery(entryId, email)}`;
}

/** Where the bonus offers of an entry are. */
export function offersAddress(entryId: number, email: string): string {
  return `/continue-registration?${entryQuery(entryId, email)}`;
}

function entryQuery(id: number, email: string): string {
  return `id=${id}&email=${encodeURIComponent(email)}`;
}
