import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const folder = path.join(import.meta.dirname, '../../content');
const texts = globSync('*.md', { cwd: folder });

const dateIn = (file: string) =>
  /^---\n(?:.+\n)*?lastUpdated: (\d{4}-\d{2}-\d{2})\n/.exec(readFileSync(path.join(folder, file), 'utf8'))?.[1] ?? '';

/** The dates in the last two changes of a text's date; none without git. */
function formerDates(file: string): readonly string[] {
  const options = ['--max-count=2', '--patch', '--unified=0', '--no-color', '--no-ext-diff', '-G^lastUpdated: '];
  const { stdout } = spawnSync('git', ['log', ...options, '--', file], { cwd: folder, encoding: 'utf8' });
  return Array.from((stdout ?? '').matchAll(/^\+lastUpdated: (\S+)$/gm), ([, date = '']) => date);
}

test.each(texts)('%s is not dated in the future', (file) => {
  // Tomorrow has begun in other time zones.
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  expect(dateIn(file)).toMatch(/^\d{4}-/);
  expect(dateIn(file) <= tomorrow).toBe(true);
});

test.each(texts)('%s is not dated before its former date', (file) => {
  expect(formerDates(file).filter((former) => former > dateIn(file))).toEqual([]);
});
