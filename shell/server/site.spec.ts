import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { startRunningSite } from './test/running-site.ts';

test('removes orphaned files of a killed server at start', async () => {
  let orphaned = '';
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      orphaned = path.join(folder, 'releases/.incoming/orphaned');
      mkdirSync(orphaned, { recursive: true });
    },
  });
  expect(existsSync(orphaned)).toBe(false);
  await running.stop();
});
