import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@daybook/testing/ports';

/** A server that does not answer after this many ms will not. */
const startLimit = 10_000;

/** An answer that is served as it is. */
export interface FixedAnswer {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As transferred, compressed. */
  readonly body: Buffer;
}

/** Whether there is an nginx on this machine. Debian keeps it where only root's PATH leads. */
export const findNginx = (): string | undefined =>
  ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

const quoted = (value: string) => `"${value.replaceAll(/["\\$]/g, (character) => `\\${character}`)}"`;

/** The locations that serve what lies in the folder: one file for each answer. */
export const fixedLocations = (folder: string, answers: readonly FixedAnswer[]): readonly string[] =>
  answers.flatMap(({ path: address, headers }, index) => [
    `location = ${address} {`,
    // Not an alias: an address that ends with a slash would be looked for as a folder.
    `root ${folder};`,
    `try_files /answer-${index} =404;`,
    `default_type ${quoted(headers['content-type'] ?? 'application/octet-stream')};`,
    ...Object.entries(headers)
      .filter(([name]) => name !== 'content-type')
      .map(([name, value]) => `add_header ${name} ${quoted(value)};`),
    '}',
  ]);

/** An nginx of one process without an access log: one server on 127.0.0.1 with these locations. */
function nginxConfiguration(folder: string, port: number, locations: readonly string[]): string {
  return [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    'worker_processes 1;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    'access_log off;',
    'sendfile on;',
    'tcp_nopush on;',
    'keepalive_requests 1000000;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`),
    `server { listen 127.0.0.1:${port};`,
    ...locations,
    '}',
    '}',
    '',
  ].join('\n');
}

/**
 * Starts an nginx that gives fixed answers.
 *
 * @param program as `findNginx` found it
 * @param started it is put here, to be stopped in the end
 */
export async function startNginx(
  program: string,
  started: AsyncDisposableStack,
  parent: string,
  answers: readonly FixedAnswer[],
) {
  const folder = path.join(parent, 'nginx');
  mkdirSync(folder);
  for (const [index, { body }] of answers.entries()) writeFileSync(path.join(folder, `answer-${index}`), body);
  return runNginx(program, started, folder, fixedLocations(folder, answers));
}

async function runNginx(program: string, started: AsyncDisposableStack, folder: string, locations: readonly string[]) {
  const port = await findFreePort();
  const configuration = path.join(folder, 'nginx.conf');
  writeFileSync(configuration, nginxConfiguration(folder, port, locations));
  const child = spawn(program, ['-e', path.join(folder, 'error.log'), '-c', configuration], { stdio: 'inherit' });
  started.defer(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGQUIT');
    await once(child, 'exit');
  });
  const address = `http://127.0.0.1:${port}`;
  const end = Date.now() + startLimit;
  while (!(await fetch(address).catch(() => undefined))) {
    if (child.exitCode !== null || Date.now() > end) throw new Error('nginx did not start; its reason is above.');
    await delay(25);
  }
  return { address, pid: child.pid ?? 0 };
}
