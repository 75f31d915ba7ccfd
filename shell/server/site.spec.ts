import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { nameOfEndedProcess } from './test/ended-process.ts';
import { startRunningSite } from './test/running-site.ts';

test('a server that starts removes what one that was killed has left half done', async () => {
  const name = nameOfEndedProcess();
  let leftover = '';
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      leftover = path.join(folder, 'releases', '.incoming', name);
      mkdirSync(leftover, { recursive: true });
    },
  });
  try {
    expect(name).not.toBe('');
    expect(existsSync(leftover)).toBe(false);
  } finally {
    await running.stop();
  }
});

test('a server starts though what was left can not be looked at', async () => {
  const running = await startRunningSite({
    prepare: ({ folder }) => {
      mkdirSync(path.join(folder, 'releases'));
      writeFileSync(path.join(folder, 'releases', '.incoming'), '');
    },
  });
  await running.stop();
});
