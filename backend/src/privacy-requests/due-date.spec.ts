import { type PrivacyRequestKind, privacyRequestKinds } from '@daybook/contract';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { dayAt, endOf } from './calendar-day.ts';
import { dueDateOf, processingTimes } from './due-date.ts';
import { isBusinessDay } from './federal-holidays.ts';

const due = (kind: PrivacyRequestKind, receivedAt: string) => dueDateOf(kind, new Date(receivedAt)).toISOString();

test('each kind has the time that its page states', () => {
  expect(privacyRequestKinds.map((kind) => Object.values(processingTimes[kind]).join(' '))).toEqual([
    '48 hours',
    '48 hours',
    '45 days',
    '15 business days',
    '15 business days',
    '15 business days',
  ]);
});

describe('a request is due', () => {
  test.each(['unsubscribe', 'ca-unsubscribe'] as const)('48 hours later, to the ms: %s', (kind) => {
    expect(due(kind, '2026-11-21T06:07:08.009Z')).toBe('2026-11-23T06:07:08.009Z');
    // The clocks are put forward in between.
    expect(due(kind, '2026-03-07T12:00:00.000Z')).toBe('2026-03-09T12:00:00.000Z');
  });

  test('45 days of 24 hours later', () => {
    expect(due('privacy-rights-request', '2026-11-21T06:07:08.009Z')).toBe('2027-01-05T06:07:08.009Z');
    expect(due('privacy-rights-request', '2028-02-01T00:00:00.000Z')).toBe('2028-03-17T00:00:00.000Z');
  });

  test.each([
    ['three weeks later without a holiday', '2026-03-02T15:00:00Z', '2026-03-24T03:59:59.000Z'],
    ['a day later for Thanksgiving', '2026-11-20T15:00:00Z', '2026-12-15T04:59:59.000Z'],
    ['as if it came on Friday, when it comes on Sunday', '2026-11-22T15:00:00Z', '2026-12-15T04:59:59.000Z'],
    ['for Friday evening in Portland, where London has Saturday', '2026-11-21T04:30:00Z', '2026-12-15T04:59:59.000Z'],
    ['over Christmas, New Year and Dr. King’s birthday', '2026-12-24T20:00:00Z', '2027-01-20T04:59:59.000Z'],
    ['over an observed New Year’s Day in the old year', '2027-12-23T20:00:00Z', '2028-01-19T04:59:59.000Z'],
    ['over Juneteenth and an observed Fourth of July', '2026-06-18T12:00:00Z', '2026-07-14T03:59:59.000Z'],
    ['in winter time for a request of summer time', '2026-10-22T12:00:00Z', '2026-11-14T04:59:59.000Z'],
  ])('15 business days later: %s', (_what, receivedAt, dueAt) => {
    for (const kind of ['profiling-opt-out', 'targeted-opt-out', 'limit-sensitive-info'] as const) {
      expect(due(kind, receivedAt)).toBe(dueAt);
    }
  });
});

describe('at any moment of a century', () => {
  const moment = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  const kind = fc.constantFrom(...privacyRequestKinds);

  test('a later request is never due earlier', () => {
    fc.assert(
      fc.property(kind, moment, fc.nat(10 * 86_400_000), (of, receivedAt, later) => {
        const laterOn = new Date(receivedAt.getTime() + later);
        expect(dueDateOf(of, laterOn).getTime()).toBeGreaterThanOrEqual(dueDateOf(of, receivedAt).getTime());
      }),
    );
  });

  test('15 business days end with the last second of a business day, the fifteenth after the request', () => {
    fc.assert(
      fc.property(moment, (receivedAt) => {
        const dueAt = dueDateOf('profiling-opt-out', receivedAt);
        const [first, last] = [dayAt(receivedAt), dayAt(dueAt)];
        const between = Array.from({ length: last - first }, (_, index) => first + 1 + index);
        expect(between.filter(isBusinessDay)).toHaveLength(15);
        expect(isBusinessDay(last)).toBe(true);
        expect(dayAt(new Date(dueAt.getTime() + 1000))).toBe(last + 1);
      }),
    );
  });

  test('a moment lies in its day: before its end, and after the end of the day before', () => {
    fc.assert(
      fc.property(moment, (at) => {
        const day = dayAt(at);
        expect(endOf(day).getTime() + 1000).toBeGreaterThan(at.getTime());
        expect(endOf(day - 1).getTime() + 1000).toBeLessThanOrEqual(at.getTime());
      }),
    );
  });
});
