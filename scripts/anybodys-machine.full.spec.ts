import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@daybook/runner/ports';
import { builtRelease, readRelease } from '@daybook/runner/releases';
import { remotes, root } from '@daybook/runner/workspaces';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { build } from './build.ts';

// npm start in a clone whose folder, environment and npm are those of other people. As many oddities at once as work
// together: each start takes half a minute, and a failure names the program that it broke.

/** Time in ms of a start that builds, on a machine that is ten times slower. */
const timeout = 400_000;

/** The characters that paths can have; of the others, environment.spec.ts. */
const oddFolders = ['-dash', 'Web, Sites', "100% new it's Büro", '[a] {b} (c)', 'a+b&c;d', '~x@y=z^w', '%41<p>'];

let temporary: string;
let clone: string;
let child: ChildProcess | undefined;

/** Copies the sources, with their changes, and links the installed packages: a copy of them takes a minute. */
function cloneInto(folder: string): void {
  const options = { cwd: root, encoding: 'utf8' } as const;
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  for (const file of listed.split('\0').filter((name) => name && existsSync(path.join(root, name))))
    cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
  for (const modules of globSync('{.,*,packages/*}/node_modules', { cwd: root })) {
    const [from, to] = [path.join(root, modules), path.join(folder, modules)];
    try {
      execFileSync('cp', ['-al', '--', from, to], { stdio: 'ignore' });
    } catch {
      // Another file system, or a cp without links.
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    }
  }
}

beforeAll(async () => {
  await build(() => undefined);
  temporary = realpathSync(mkdtempSync(path.join(tmpdir(), 'daybook-anybody-')));
  clone = path.join(temporary, ...oddFolders, 'daybook');
  mkdirSync(clone, { recursive: true });
  cloneInto(clone);
}, timeout);
afterEach(() => {
  if (child?.exitCode === null && child.pid) process.kill(-child.pid, 'SIGKILL');
});
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/**
 * Runs a shell command that calls `npm start`, until it runs or has ended.
 *
 * @returns its output, and what ends it like Ctrl-C, with its exit code
 */
async function start(command: string, variables: NodeJS.ProcessEnv) {
  const port = await findFreePort();
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), ...variables };
  const started = spawn('/bin/sh', ['-c', command], {
    cwd: clone,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let output = '';
  const runs = new Promise<void>((resolve) => {
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
        if (output.includes('stop it with Ctrl-C')) resolve();
      });
  });
  const ended = once(started, 'close');
  await Promise.race([runs, ended]);
  return {
    url: `http://localhost:${port}`,
    output: () => output,
    stop: async () => {
      if (started.exitCode === null) process.kill(-Number(started.pid), 'SIGINT');
      return (await ended)[0] as number | null;
    },
  };
}

/** Variables that other programs and other projects set. */
const ofOthers = (folder: string, missing = path.join(folder, 'missing')) => ({
  NODE_ENV: 'production',
  NODE_OPTIONS: `--require ${path.join(folder, 'hook.cjs')}`,
  NODE_PATH: missing,
  NODE_USE_ENV_PROXY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  HOST: 'x86_64-conda-linux-gnu',
  PGHOST: 'db.invalid',
  PGPORT: '1',
  PGSSLMODE: 'require',
  PGOPTIONS: '-c nonsense=1',
  PGPASSWORD: 'x',
  GIT_DIR: missing,
  GIT_WORK_TREE: missing,
  BROWSERSLIST: 'ie 6',
  TS_NODE_PROJECT: missing,
  JEST_WORKER_ID: '7',
  FORCE_COLOR: '1',
  NO_COLOR: '1',
  CI: '1',
  DEBUG: '*',
  TMPDIR: missing,
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
  TZ: 'Pacific/Chatham',
  npm_config_if_present: 'true',
  npm_config_prefix: missing,
  npm_config_omit: 'dev',
});

test(
  'npm start runs in a folder with odd names, with the variables of other programs, and builds the same versions',
  async () => {
    writeFileSync(path.join(temporary, 'hook.cjs'), '');
    const site = await start('umask 077; ulimit -n 256; exec npm start <&-', ofOthers(temporary));
    expect(site.output()).toContain(`Daybook runs at ${site.url}`);
    expect((await fetch(`${site.url}/terms`)).status).toBe(200);
    const versions = remotes.map((name) => readRelease(path.join(clone, name, 'build')).release.version);
    expect(versions).toEqual(remotes.map((name) => builtRelease(name).version));
    expect(await site.stop()).toBe(0);
  },
  timeout,
);

test(
  'npm start runs without a home, through a link, with a setting on purpose',
  async () => {
    const link = path.join(temporary, 'link');
    execFileSync('ln', ['-s', clone, link]);
    const site = await start(`cd '${link}' && unset HOME && exec npm start`, {
      SUPPORT_ADDRESS: 'ann@daybook.example',
    });
    const page = await fetch(`${site.url}/terms`).then((response) => response.text());
    expect(page).toContain('ann@daybook.example');
    expect(await site.stop()).toBe(0);
  },
  timeout,
);

test(
  'npm start names invalid settings in one line each, and starts nothing',
  async () => {
    const site = await start('exec npm start', { LOG_LEVEL: 'INFO', PUBLIC_URL: '/app' });
    expect(site.output()).toMatch(/These settings cannot be used:\n {2}PUBLIC_URL: .*\n {2}LOG_LEVEL: .*\n/);
    expect(site.output()).not.toMatch(/^\s+at /m);
    expect(await site.stop()).toBe(1);
  },
  timeout,
);

test(
  'npm start whose reader closes the pipe leaves nothing behind',
  async () => {
    const site = await start('npm start | head -1', {});
    expect(await site.stop()).toBe(0);
    await expect(fetch(`${site.url}/terms`)).rejects.toThrow('fetch failed');
  },
  timeout,
);
