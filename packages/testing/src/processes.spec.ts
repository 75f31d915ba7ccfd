import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { eventually } from './eventually.ts';
import { isRunning } from './processes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-processes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const urlOf = (file: string) => JSON.stringify(pathToFileURL(path.join(import.meta.dirname, file)).href);

/** Programs that start a process, and print its id. */
const starters = {
  child: () => `import { startNode } from ${urlOf('processes.ts')};
    process.send(startNode(['-e', 'setInterval(() => undefined, 1000)']).pid);`,
  database: () => `import { startPostgres } from ${urlOf('postgres.ts')};
    import { readFileSync } from 'node:fs';
    await startPostgres({ folder: '${folder}/data', persistent: true, settings: { fsync: 'off' } });
    process.send(parseInt(readFileSync('${folder}/data/postmaster.pid', 'utf8')));`,
};

test.each([
  ['child', 'SIGTERM'],
  ['child', 'SIGKILL'],
  ['database', 'SIGKILL'],
] as const)('a %s ends with the process that %s ended', async (what, signal) => {
  const program = `${starters[what]()} setInterval(() => undefined, 1000);`;
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
