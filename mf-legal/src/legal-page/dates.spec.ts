import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const folder = path.join(import.meta.dirname, '../../content');
const texts = globSync('*.md', { cwd: folder });

const dateIn = (file: string) =>
  /^---\n(?:.+\n)*?lastUpdated: (\d{4}-\d{2}-\d{2})\n/.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1] ?? '';

/** Returns the dates that the last two changes of a text's date gave it; none without git. */
function formerDates(file: string): readonly string[] {
  const options = ['--max-count=2', '--patch', '--unified=0', '--no-color', '--no-ext-diff', '-G^lastUpdated: '];
  const { stdout } = spawnSync('git', ['log', ...options, '--', file], { cwd: folder, encoding: 'utf8' });
  return Array.from((stdout ?? '').matchAll(/^\+lastUpdated: (\S+)$/gm), ([, date = '']) => date);
}

test.each(texts)('%s begins with ---, its date such as lastUpdated: 2025-05-20, and ---', (file) => {
  const date = dateIn(file);
  expect(date).not.toBe('');
  // Some engines read February 30 as March 1.
  expect(new Date(date).toISOString()).toBe(`${date}T00:00:00.000Z`);
});

test.each(texts)('%s is not dated in the future', (file) => {
  // Tomorrow has begun in other time zones.
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect([dateIn(file), tomorrow].sort()).toEqual([dateIn(file), tomorrow]);
});

test.each(texts)('%s is not dated before its former date', (file) => {
  expect(formerDates(file).filter((former) => former > dateIn(file))).toEqual([]);
});
