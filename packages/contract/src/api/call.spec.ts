import { describe, expect, test } from '@jest/globals';
import { pathOf } from './call.ts';
import { waitlistCalls } from './waitlist.ts';

describe('the path of a call', () => {
  test('contains its parameters', () => {
    expect(pathOf(waitlistCalls.setStep, { id: 7, step: 2 })).toBe('/api/waitlist/7/step/2');
    expect(pathOf(waitlistCalls.signUp, {})).toBe('/api/waitlist');
  });

  test('encodes a parameter within its own segment', () => {
    expect(pathOf(waitlistCalls.complete, { id: '7/../8?x=1#y' })).toBe(
      '/api/waitlist/7%2F..%2F8%3Fx%3D1%23y/complete',
    );
  });
});
