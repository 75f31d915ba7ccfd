import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isRunning } from './processes.ts';

let temporary: string;
beforeEach(() => {
  temporary = mkdtempSync(path.join(tmpdir(), 'daybook-postgres-'));
});
afterEach(() => rmSync(temporary, { recursive: true }));

// A test runner that a signal ends runs no handler, and SIGKILL cannot have one.
test.each(['SIGTERM', 'SIGKILL'] as const)('a database ends with the process that %s ended', async (signal) => {
  const folder = path.join(temporary, 'data');
  const program = `import { startPostgres } from ${JSON.stringify(pathToFileURL(path.join(import.meta.dirname, 'postgres.ts')).href)};
    await startPostgres({ folder: ${JSON.stringify(folder)}, persistent: true, settings: { fsync: 'off' } });
    process.send('ready'); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Not those of Jest.
    env: { PATH: process.env.PATH },
  });
  await once(child, 'message');
  const pid = Number(readFileSync(path.join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
  expect(isRunning(pid)).toBe(true);
  child.kill(signal);
  await eventually(() => expect(isRunning(pid)).toBe(false));
});
