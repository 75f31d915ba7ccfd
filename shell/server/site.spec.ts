import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { startRunningSite } from './test/running-site.ts';

test('a server that starts removes what one that was killed left half done', async () => {
  let leftover = '';
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      leftover = path.join(folder, 'releases/.incoming/leftover');
      mkdirSync(leftover, { recursive: true });
      utimesSync(leftover, 1, 1);
    },
  });
  expect(existsSync(leftover)).toBe(false);
  await running.stop();
});

test('a server starts though what was left can not be read', async () => {
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      mkdirSync(path.join(folder, 'releases'));
      writeFileSync(path.join(folder, 'releases', '.incoming'), '');
    },
  });
  await running.stop();
});
