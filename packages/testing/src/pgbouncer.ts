import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@daybook/runner/ports';
import { endWithThisProcess } from '@daybook/runner/processes';

/** Finds the PgBouncer of this machine. Debian installs it outside the PATH of other users than root. */
export const findPgBouncer = (): string | undefined =>
  ['pgbouncer', '/usr/sbin/pgbouncer'].find((program) => spawnSync(program, ['--version']).status === 0);

/**
 * Starts PgBouncer in transaction mode in front of PostgreSQL, with its default settings otherwise.
 *
 * @param started stops it when it is disposed
 * @param urls addresses of the database, with each role that logs in
 * @param settings of pgbouncer.ini
 * @returns the same addresses by way of PgBouncer
 */
export async function startPgBouncer(
  program: string,
  started: AsyncDisposableStack,
  urls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-pgbouncer-'));
  started.defer(() => rmSync(folder, { recursive: true, force: true }));
  const addresses = urls.map((url) => new URL(url));
  const port = await findFreePort();
  const users = addresses.map(({ username, password }) => `"${username}" "${password}"\n`).join('');
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    pool_mode: 'transaction',
    auth_type: 'scram-sha-256',
    auth_file: path.join(folder, 'users.txt'),
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  const target = `host=${addresses[0]?.hostname} port=${addresses[0]?.port}`;
  writeFileSync(all.auth_file, users, { mode: 0o644 });
  const configuration = path.join(folder, 'pgbouncer.ini');
  writeFileSync(configuration, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('')}`, { mode: 0o644 });
  spawnSync('chmod', ['755', folder]);
  // It rejects root.
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
  const [file = '', ...parameters] = [...asNobody, program, configuration];
  const child = spawn(file, parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  endWithThisProcess(child, 'SIGINT');
  const ended = once(child, 'exit');
  started.defer(async () => {
    child.kill('SIGINT');
    await ended;
  });
  const ready = Promise.withResolvers<void>();
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    log.push(line);
    if (line.includes('process up')) ready.resolve();
  });
  ended.then(() => ready.reject(new Error(`PgBouncer did not start:\n${log.join('\n')}`)));
  await ready.promise;
  return addresses.map((url) => Object.assign(url, { host: `127.0.0.1:${port}` }).href);
}
