import { expect, test } from '@jest/globals';
import { bothVisits, pageSample, roundsOf } from './page-figures.ts';

test('a round holds both visits, and gives each by itself', () => {
  const rounds = [{ site: bothVisits({ cold: { bytes: 2 }, warm: { bytes: 1 } }) }];
  expect(roundsOf(rounds, 'cold')).toEqual([{ site: { bytes: 2 } }]);
  expect(roundsOf(rounds, 'warm')).toEqual([{ site: { bytes: 1 } }]);
});

test('a page without React has no time at which it is hydrated', () => {
  const figures = { firstPaint: 1, largestPaint: 2, blocking: 0, layoutShift: 0, requests: 3 };
  const sample = pageSample({ ...figures, bytes: 2_500, scriptBytes: 0 });
  expect(sample).toEqual({ ...figures, kilobytes: 2.5, scriptKilobytes: 0 });
});
