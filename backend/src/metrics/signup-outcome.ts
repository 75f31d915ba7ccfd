import { waitlistCalls } from '@daybook/contract';

const { signUp } = waitlistCalls;

export const isSignup = (method: string, route: string): boolean => method === signUp.method && route === signUp.path;

/** The result of a signup with the status 201, which its response does not show. */
export type SignupOutcome = 'stored' | 'suspected';

/** Why a signup had no success, by the status of its answer; `undefined` where it had. */
export function signupFailure(status: number): 'refused' | 'limited' | 'unavailable' | 'failed' | undefined {
  if (status < 300) return undefined;
  if (status === 429) return 'limited';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}
