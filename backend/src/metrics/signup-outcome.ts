import { waitlistCalls } from '@daybook/contract';

const { signUp } = waitlistCalls;

export const isSignup = (method: string, route: string): boolean => method === signUp.method && route === signUp.path;

type SignupOutcome = 'stored' | 'refused' | 'limited' | 'unavailable' | 'failed';

/** What became of a signup, by the status of its answer. */
export function signupOutcome(status: number): SignupOutcome {
  if (status < 300) return 'stored';
  if (status === 429) return 'limited';
  if (status < 500) return 'refused';
  return status === 503 ? 'unavailable' : 'failed';
}
