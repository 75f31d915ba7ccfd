import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { findFreePort } from './ports.ts';

const startTimeout = 10_000;

/** The nginx of this machine, if there is one. Debian installs it where only root's PATH leads. */
export const findNginx = (): string | undefined =>
  ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

/**
 * Starts an nginx that forwards everything to one address over connections that it reuses.
 *
 * @param started stops it when it is disposed
 * @param folder for its files
 */
export async function startNginxProxy(
  program: string,
  started: AsyncDisposableStack,
  folder: string,
  address: string,
): Promise<{ readonly address: string }> {
  const port = await findFreePort();
  const configuration = path.join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    configuration,
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1; pid ${folder}/nginx.pid;
    error_log ${folder}/error.log; events {}
    http {
      access_log off;
      ${temporary.join(' ')}
      upstream site { server ${new URL(address).host}; keepalive 4; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://site; proxy_http_version 1.1;
          proxy_set_header Connection ""; proxy_set_header Host $http_host;
        }
      }
    }`,
  );
  const child = execa(program, ['-e', path.join(folder, 'error.log'), '-c', configuration], {
    stdio: 'inherit',
    reject: false,
    killSignal: 'SIGQUIT',
  });
  started.defer(async () => {
    child.kill();
    await child;
  });
  const end = Date.now() + startTimeout;
  while (!(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))) {
    if (child.nodeChildProcess.exitCode !== null || Date.now() > end)
      throw new Error('nginx did not start; its reason is above.');
    await delay(25);
  }
  return { address: `http://127.0.0.1:${port}` };
}
