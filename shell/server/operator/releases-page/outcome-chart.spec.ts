import { describe, expect, test } from '@jest/globals';
import { describeOutcomes, outcomeChart, scaleOf } from './outcome-chart.ts';

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
    const { text } = outcomeChart(given, scaleOf([given]));
    expect(text.match(/class="views"/g)).toHaveLength(2);
    expect(text.match(/class="failures"/g)).toHaveLength(2);
    expect(text).toContain('class="views" x="0" y="0" width="4" height="22"');
    expect(text).toContain('class="failures" x="175"');
    expect(text).not.toMatch(/style=/);
  });

  test.each([
    [0, ['12:00', '13:00', '14:00'], '<text x="3"'],
    // From 12:59 to 15:59.
    [59, ['13:00', '14:00', '15:00'], '<text x="3"'],
    // From 12:15 to 15:15: the last mark has no room after it.
    [15, ['13:00', '14:00', '15:00'], '<text x="163" y="48" text-anchor="end">15:00'],
  ])('has a mark at each full hour, begun %i minutes after one', (after, times, text) => {
    const given = minutes({}).map((minute) => ({ ...minute, at: minute.at + after * 60_000 }));
    const chart = outcomeChart(given, scaleOf([given])).text;
    expect([...chart.matchAll(/<text[^>]*>([^<]*)/g)].map(([, time]) => time)).toEqual(times);
    expect(chart).toContain(text);
  });

  test('shows one failure beside very many', () => {
    const given = minutes({ 0: { failures: 1 }, 10: { failures: 1_000 } });
    const heights = [...outcomeChart(given, scaleOf([given])).text.matchAll(/class="failures".*?height="(\d+)"/g)];
    expect(heights.map(([, height]) => Number(height))).toEqual([2, 14]);
  });

  test('has the scale of all releases of its remote', () => {
    expect(scaleOf([minutes({ 0: { views: 10, failures: 7 } }), minutes({ 0: { views: 90, failures: 5 } })])).toEqual({
      views: 90,
      failures: 7,
    });
  });
});
