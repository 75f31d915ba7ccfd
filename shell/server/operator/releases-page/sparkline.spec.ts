import { describe, expect, test } from '@jest/globals';
import { scaleOf, sparkline } from './sparkline.ts';

const describeOutcomes = (given: ReturnType<typeof minutes>) =>
  /aria-label="([^"]*)"/.exec(sparkline(given, scaleOf([given])).text)?.[1];
const start = Date.parse('2026-11-21T12:00:00Z');
const minutes = (outcomes: Readonly<Record<number, { views?: number; failures?: number }>>) =>
  Array.from({ length: 180 }, (_, index) => ({
    at: start + index * 60_000,
    views: 0,
    failures: 0,
    ...outcomes[index],
  }));

describe('a chart of three hours', () => {
  test('is told in words', () => {
    const told = describeOutcomes(minutes({ 0: { views: 40 }, 61: { views: 1, failures: 2 }, 63: { failures: 1 } }));
    expect(told).toBe(
      '41 page views and 3 failures in the last 3 hours; most failures, 3, within 5 minutes from 13:00 UTC.',
    );
  });

  test.each([
    [{}, '0 page views and 0 failures in the last 3 hours.'],
    [{ 5: { views: 1 } }, '1 page view and 0 failures in the last 3 hours.'],
  ])('without failures names no moment: %j', (outcomes, told) => {
    expect(describeOutcomes(minutes(outcomes))).toBe(told);
  });

  test('has a bar for each five minutes in which something happened', () => {
    const given = minutes({ 0: { views: 3 }, 4: { views: 1 }, 5: { views: 2, failures: 1 }, 179: { failures: 1 } });
    const { text } = sparkline(given, scaleOf([given]));
    expect(text).toContain('<path class="good" d="M2 22v-22M7 22v-11"/>');
    expect(text).toContain('<path class="bad" d="M7 22v4M177 22v4"/>');
    expect(text).not.toMatch(/style=/);
  });

  test('shows one failure beside very many', () => {
    const given = minutes({ 0: { failures: 1 }, 10: { failures: 1_000 } });
    expect(sparkline(given, scaleOf([given])).text).toContain('d="M2 22v2M12 22v14"');
  });

  test('has the scale of all releases of its remote', () => {
    expect(scaleOf([minutes({ 0: { views: 10, failures: 7 } }), minutes({ 0: { views: 90, failures: 5 } })])).toEqual({
      views: 90,
      failures: 7,
    });
  });
});
