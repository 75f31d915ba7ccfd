import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { interleave, summarize } from './comparison.ts';
import { type Report, writeReport } from './report.ts';

const rounds = [
  { site: { time: 30 }, baseline: { time: 10 } },
  { site: { time: 40 }, baseline: { time: 20 } },
  { site: { time: 90 }, baseline: { time: 90 } },
];
const figure = { key: 'time', title: 'time in ms', digits: 0 };
const comparison = { title: 'Pages', contestants: ['site', 'baseline'], baseline: 'baseline', figures: [figure] };
const report: Report = { comparisons: [{ ...comparison, cases: { home: rounds } }], note: 'Measured.' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('computes ratios within a round and medians over the rounds', () => {
  expect(summarize(rounds, 'site', { ...figure, baseline: 'baseline' })).toEqual({
    value: 40,
    ratio: { median: 2, lowest: 1, highest: 3 },
  });
});

test('omits figures that were not measured and the ratio of the baseline', () => {
  expect(summarize(rounds, 'other', figure)).toBeUndefined();
  expect(summarize(rounds, 'baseline', { ...figure, baseline: 'baseline' })).toEqual({ value: 20 });
});

test('starts each round with another contestant', async () => {
  const order: string[] = [];
  const measure = async ({ name }: { readonly name: string }) => ({ place: order.push(name) });
  await interleave([{ name: 'a' }, { name: 'b' }], 2, measure, () => undefined);
  expect(order).toEqual(['a', 'b', 'b', 'a']);
});

test('writes tables between the marks and retains the text around them', async () => {
  const file = path.join(folder, 'pages.md');
  writeFileSync(file, '# Pages\n\n<!-- results -->\n\nOld.\n\n<!-- end of results -->\n\nWhy.\n');
  await writeReport(folder, 'pages', report);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^# Pages\n\n<!-- results -->\n\nMeasured on .*<!-- end of results -->\n\nWhy\.\n$/s);
  expect(text).toContain('40 (2.00)');
  expect(text).not.toContain('Old.');
});

test('draws a bar for each ratio', async () => {
  await writeReport(folder, 'pages', report);
  const picture = readFileSync(path.join(folder, 'pages.svg'), 'utf8');
  expect(picture).toContain('time in ms ÷ baseline');
  expect(picture).toContain('median: 2; case: home');
});
