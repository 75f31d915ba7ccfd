import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { startRunningSite } from './test/running-site.ts';

test('removes orphaned files of a killed server at start', async () => {
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

test("starts although orphaned files can't be read", async () => {
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      mkdirSync(path.join(folder, 'releases'));
      writeFileSync(path.join(folder, 'releases', '.incoming'), '');
    },
  });
  await running.stop();
});
