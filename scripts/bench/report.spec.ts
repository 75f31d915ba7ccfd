import { expect, test } from '@jest/globals';
import { interleave, summarize } from './comparison.ts';
import { reportText } from './report.ts';

const rounds = [
  { site: { time: 30 }, baseline: { time: 10 } },
  { site: { time: 40 }, baseline: { time: 20 } },
  { site: { time: 90 }, baseline: { time: 90 } },
];
const figure = { key: 'time', title: 'time in ms', digits: 0 };
const comparison = { title: 'Pages', contestants: ['site', 'baseline'], baseline: 'baseline', figures: [figure] };

test('computes ratios within a round and medians over the rounds', () => {
  expect(summarize(rounds, 'site', { ...figure, baseline: 'baseline' })).toEqual({ value: 40, ratio: 2 });
});

test('starts each round with another contestant', async () => {
  const order: string[] = [];
  const measure = async ({ name }: { readonly name: string }) => ({ place: order.push(name) });
  await interleave([{ name: 'a' }, { name: 'b' }], 2, measure, () => undefined);
  expect(order).toEqual(['a', 'b', 'b', 'a']);
});

test('prints medians with their ratio to the baseline', () => {
  const text = reportText({ comparisons: [{ ...comparison, cases: { home: rounds } }], note: 'Measured.' });
  expect(text).toContain('| home  | site     |  40 (2.00) |');
});
