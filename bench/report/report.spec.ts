import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import type { Comparison } from '../comparison.ts';
import { linePicture, ticksUpTo } from './line-picture.ts';
import { publish, withSection } from './publish.ts';
import { ratioPicture } from './ratio-picture.ts';
import { comparisonTable } from './table.ts';

const comparison: Comparison = {
  title: 'Ours & theirs',
  contestants: ['ours', 'base'],
  baseline: 'base',
  figures: [
    { key: 'speed', title: 'per second', digits: 0, aim: { atLeast: 0.75 } },
    { key: 'memory', title: 'MB', digits: 1 },
  ],
  cases: [
    {
      name: '8 connections',
      rounds: [
        { ours: { speed: 80, memory: 20 }, base: { speed: 100 } },
        { ours: { speed: 90, memory: 20 }, base: { speed: 100 } },
        { ours: { speed: 120, memory: 20 }, base: { speed: 100 } },
      ],
    },
  ],
};

test('a table has medians and, where there is a baseline, the ratio to it', () => {
  expect(comparisonTable(comparison)).toBe(
    [
      '|               |      | per second |   MB |',
      '| ------------- | ---- | ---------: | ---: |',
      '| 8 connections | ours |  90 (0.90) | 20.0 |',
      '| 8 connections | base |        100 |    – |',
    ].join('\n'),
  );
});

test('a figure may have a baseline of its own, and a table the rows of some contestants', () => {
  const figures = [{ key: 'speed', title: 'per second', digits: 0, baseline: 'ours' }];
  const table = comparisonTable({ ...comparison, figures }, ['base']);
  expect(table.split('\n').slice(2)).toEqual(['| 8 connections | base | 100 (1.11) |']);
});

test('a picture of ratios has a bar for each of the others, its range, and the aim', () => {
  const picture = ratioPicture(comparison);
  expect(picture).toContain('aria-label="Ours &amp; theirs"');
  expect(picture.match(/<rect/g)).toHaveLength(1);
  expect(picture.match(/class="range"/g)).toHaveLength(1);
  expect(picture.match(/class="aim"/g)).toHaveLength(1);
  expect(picture).toContain('>0.90</text>');
  expect(picture).not.toMatch(/NaN|undefined|Infinity/);
});

test('what was not measured has no bar', () => {
  const picture = ratioPicture({ ...comparison, contestants: ['ours', 'theirs', 'base'] });
  expect(picture.match(/<rect/g)).toHaveLength(1);
  expect(picture).not.toContain('>theirs</text>');
});

test('bars begin right of the longest names', () => {
  const begin = (name: string) => {
    const cases = comparison.cases.map(({ rounds }) => ({ name, rounds }));
    return Number(/<rect x="([\d.]+)"/.exec(ratioPicture({ ...comparison, cases }))?.[1]);
  };
  expect(begin('short')).toBe(250);
  expect(begin('/offer-landing/emergency-pendant')).toBeGreaterThan(250);
});

test('a picture of lines begins at 0 and ends with the last point', () => {
  const points = [0, 5, 10].map((x) => [x, 100] as const);
  const picture = linePicture({ title: 'Memory', x: 'minutes', y: 'MB', series: [{ name: 'ours', points }] });
  const [, path = ''] = /points="([^"]*)"/.exec(picture) ?? [];
  expect(new Set(path.split(' ').map((point) => point.split(',')[1])).size).toBe(1);
  expect(picture).not.toMatch(/NaN|undefined|Infinity/);
  expect(linePicture({ title: '', x: '', y: '', series: [] })).not.toMatch(/NaN|Infinity/);
});

test('axes have round numbers, and end at or above the highest value', () => {
  expect(ticksUpTo(10)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(ticksUpTo(483)).toEqual([0, 100, 200, 300, 400, 500]);
  expect(ticksUpTo(0.3)).toEqual([0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]);
  expect(ticksUpTo(0)).toEqual([0]);
});

test('a section takes the place of the one before, and leaves the rest', () => {
  const first = withSection('# Speed\n\nWhy.\n', 'api', 'old');
  const second = withSection(withSection(first, 'memory', 'flat'), 'api', 'new');
  expect(second).toBe(
    '# Speed\n\nWhy.\n\n<!-- results: api -->\n\nnew\n\n<!-- end: api -->\n\n<!-- results: memory -->\n\nflat\n\n<!-- end: memory -->\n',
  );
  expect(withSection(second, 'api', 'old')).toBe(second.replace('new', 'old'));
});

test('a report is a document with table and machine, a picture and data', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-report-'));
  try {
    writeFileSync(path.join(folder, 'api.md'), '# The API\n');
    publish(folder, 'api.md', { name: 'api', text: '| a |', caption: 'A', picture: '<svg/>', data: { rounds: 7 } });
    const document = readFileSync(path.join(folder, 'api.md'), 'utf8');
    expect(document).toMatch(/^# The API\n[\s\S]*Measured on .* cores[\s\S]*\| a \|[\s\S]*!\[A\]\(api\.svg\)/);
    expect(readFileSync(path.join(folder, 'api.svg'), 'utf8')).toBe('<svg/>');
    expect(JSON.parse(readFileSync(path.join(folder, 'api.json'), 'utf8'))).toMatchObject({
      rounds: 7,
      machine: { node: process.version },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
