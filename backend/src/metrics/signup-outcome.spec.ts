import { expect, test } from '@jest/globals';
import { isSignup, signupFailure } from './signup-outcome.ts';

test.each([
  [201, undefined],
  [400, 'refused'],
  [413, 'refused'],
  [429, 'limited'],
  [503, 'unavailable'],
  [500, 'failed'],
])('a signup that is answered with %i counts as %s', (status, outcome) => {
  expect(signupFailure(status)).toBe(outcome);
});

test('other calls are no signups', () => {
  expect(isSignup('POST', '/api/waitlist')).toBe(true);
  expect(isSignup('GET', '/api/waitlist')).toBe(false);
  expect(isSignup('POST', '/api/waitlist/:id/notify-complete')).toBe(false);
});
