import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@daybook/testing/ports';
import { endWithThisProcess } from '@daybook/testing/processes';

/** Finds the PgBouncer of this machine. Debian installs it outside the PATH of other users than root. */
export const findPgBouncer = (): string | undefined =>
  ['pgbouncer', '/usr/sbin/pgbouncer'].find((program) => spawnSync(program, ['--version']).status === 0);

/** Starts PgBouncer in transaction mode, until it is disposed; returns the URLs of a database by way of it. */
export async function startPgBouncer(
  program: string,
  started: AsyncDisposableStack,
  urls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-pgbouncer-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const addresses = urls.map((url) => new URL(url));
  const port = await findFreePort();
  const [users, configuration] = [path.join(folder, 'users.txt'), path.join(folder, 'pgbouncer.ini')];
  writeFileSync(users, addresses.map(({ username, password }) => `"${username}" "${password}"\n`).join(''));
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '' },
    ...{ pool_mode: 'transaction', auth_type: 'scram-sha-256', auth_file: users },
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  const database = `[databases]\n* = host=127.0.0.1 port=${addresses[0]?.port}\n`;
  writeFileSync(configuration, `${database}[pgbouncer]\n${lines.join('')}`);
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
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('process up')) break;
  return addresses.map((url) => Object.assign(url, { host: `127.0.0.1:${port}` }).href);
}
