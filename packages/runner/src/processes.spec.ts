import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@daybook/testing/eventually';
import { expect, test } from '@jest/globals';
import { isRunning } from './processes.ts';

test.each(['SIGTERM', 'SIGKILL'] as const)('a child ends with the process that %s ended', async (signal) => {
  const program = `import { startNode } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'processes.ts')).href)};
    const child = startNode(['-e', 'setInterval(() => undefined, 1000)']);
    process.send(child.pid); setInterval(() => undefined, 1000);`;
  const starter = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Not those of Jest.
    env: { PATH: process.env.PATH },
  });
  const [pid] = await once(starter, 'message');
  expect(isRunning(pid)).toBe(true);
  starter.kill(signal);
  await eventually(() => expect(isRunning(pid)).toBe(false));
});
