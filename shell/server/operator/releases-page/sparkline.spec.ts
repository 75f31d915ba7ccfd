import { describe, expect, test } from '@jest/globals';
import { scaleOf, sparkline } from './sparkline.ts';

const start = Date.parse('2026-11-21T12:00:00Z');
const chartOf = (stats: Readonly<Record<number, { views?: number; failures?: number }>>) =>
  Array.from({ length: 36 }, (_, index) => ({
    at: start + index * 300_000,
    views: 0,
    failures: 0,
    ...stats[index],
  }));
const draw = (bars: ReturnType<typeof chartOf>) => sparkline(bars, scaleOf([bars])).text;

describe('a chart of three hours', () => {
  test.each([
    [{}, '0 page views and 0 failures in the last 3 hours.'],
    [{ 1: { views: 1 } }, '1 page view and 0 failures in the last 3 hours.'],
    [
      { 0: { views: 40 }, 12: { views: 1, failures: 3 } },
      '41 page views and 3 failures in the last 3 hours; most failures, 3, within 5 minutes from 13:00 UTC.',
    ],
  ])('has a label with the same content: %j', (stats, label) => {
    expect(draw(chartOf(stats))).toContain(`aria-label="${label}"`);
  });

  test('has a bar for each five minutes with events', () => {
    const text = draw(chartOf({ 0: { views: 4 }, 1: { views: 2, failures: 1 }, 35: { failures: 1 } }));
    expect(text).toContain('<path class="good" d="M2 22v-22M7 22v-11"/>');
    expect(text).toContain('<path class="bad" d="M7 22v4M177 22v4"/>');
    expect(text).not.toMatch(/style=/);
  });

  test('shows a single failure beside very many', () => {
    expect(draw(chartOf({ 0: { failures: 1 }, 2: { failures: 1_000 } }))).toContain('d="M2 22v2M12 22v14"');
  });

  test('uses one scale for all releases of its remote', () => {
    expect(scaleOf([chartOf({ 0: { views: 10, failures: 7 } }), chartOf({ 0: { views: 90, failures: 5 } })])).toEqual({
      views: 90,
      failures: 7,
    });
  });
});
