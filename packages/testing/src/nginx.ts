import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { findFreePort } from './ports.ts';
import { endWithThisProcess } from './processes.ts';
import { root } from './workspaces.ts';

/** Finds the nginx of this machine. Debian installs it outside the PATH of other users than root. */
export const findNginx = (): string | undefined =>
  ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

/** Runs nginx with a configuration as one process, until it is disposed; resolves once it responds at a port. */
export async function runNginx(
  [program, ...parameters]: readonly [string, ...string[]],
  started: AsyncDisposableStack,
  folder: string,
  port: number,
  content: string,
  env: Readonly<Record<string, string>> = {},
) {
  const configuration = path.join(folder, 'nginx.conf');
  const asOneProcess = `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; master_process off;\n`;
  writeFileSync(configuration, asOneProcess + content);
  const child = execa(program, [...parameters, '-e', path.join(folder, 'error.log'), '-c', configuration], {
    env,
    stdio: 'inherit',
    reject: false,
    killSignal: 'SIGQUIT',
  });
  endWithThisProcess(child.nodeChildProcess);
  started.defer(async () => {
    child.kill();
    await child;
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url).catch(() => undefined))) {
    if (child.nodeChildProcess.exitCode !== null) throw new Error('nginx did not start; see its output above.');
    await delay(25);
  }
  return { url, pid: child.pid ?? 0 };
}

/** Starts the edge of the stack with its own configuration, before shell servers; without any, their name is unknown. */
export async function startEdge(
  program: string,
  started: AsyncDisposableStack,
  folder: string,
  shell: string | readonly string[],
  variables: Readonly<Record<string, string>>,
  backends: readonly string[] = [shell].flat(),
) {
  const [port, inner] = [await findFreePort(), await findFreePort()];
  // As DNS, each request tries all of them.
  const upstream = (name: string, addresses: readonly string[]) =>
    `upstream ${name} { ${addresses.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ')} }`;
  const hasShell = shell.length > 0;
  const replacements: Readonly<Record<string, string>> = {
    'listen 8080;': `listen 127.0.0.1:${port};`,
    'listen 8081;': `listen 127.0.0.1:${inner};`,
    '/run/edge/': `${folder}/`,
    '/etc/daybook/': `${path.join(root, 'deploy/nginx')}/`,
    'resolver 127.0.0.11 valid=1s ipv6=off;':
      (hasShell ? upstream('shell', [shell].flat()) : 'resolver 127.0.0.1:9;') + upstream('backend', backends),
    'http://$shell:8080': hasShell ? 'http://shell' : 'http://$shell:8080',
    'http://$backend:3000': 'http://backend',
    '/dev/stdout': `${folder}/access.log`,
  };
  let content = readFileSync(path.join(root, 'deploy/nginx/edge.conf'), 'utf8').replaceAll(
    / (?:\/tmp|\/var\/cache\/edge)\//g,
    ` ${folder}/`,
  );
  for (const [text, replacement] of Object.entries(replacements)) {
    if (!content.includes(text)) throw new Error(`deploy/nginx/edge.conf has no “${text}” any more.`);
    content = content.replaceAll(text, replacement);
  }
  const env = { ...variables, SETTINGS_FILE: path.join(folder, 'settings.conf') };
  return runNginx(['sh', path.join(root, 'deploy/nginx/start.sh'), program], started, folder, port, content, env);
}
