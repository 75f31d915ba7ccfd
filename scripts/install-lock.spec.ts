import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

/** Installs as npm would, as far as the bootstrap can tell; waits before it does until the file `go` is there. */
const npm = `
const { appendFileSync, existsSync, mkdirSync, symlinkSync, watch, writeFileSync } = require('node:fs');
appendFileSync('installations', 'begun\\n');
console.log('npm has begun');
function install() {
  if (!existsSync('package-lock.json')) process.exit();
  if (!existsSync('go')) return;
  if (existsSync('fail')) process.exit(7);
  mkdirSync('node_modules/node/bin', { recursive: true });
  symlinkSync(process.execPath, 'node_modules/node/bin/node');
  writeFileSync('node_modules/.package-lock.json', '{"packages": {}}');
  process.exit(0);
}
watch('.', install);
install();
`;

const nothing = Readable.from([]);
const children: ChildProcess[] = [];
let project: string;
const place = (...names: string[]) => path.join(project, ...names);
const lock = () => place('.data/install.lock');

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'daybook-install-'));
  mkdirSync(place('scripts/commands'), { recursive: true });
  for (const file of ['bootstrap.mjs', 'install-lock.mjs'])
    cpSync(path.join(root, 'scripts', file), place('scripts', file));
  writeFileSync(place('scripts/commands/greet.ts'), `console.log('Hello.');`);
  writeFileSync(place('package-lock.json'), '{"packages": {}}');
  writeFileSync(place('npm.cjs'), npm);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(project, { recursive: true, force: true });
});

/** Starts a command of the project on a clone where nothing is installed. */
function greet() {
  const child = spawn(process.execPath, [place('scripts/bootstrap.mjs'), 'greet'], {
    cwd: project,
    env: { ...process.env, npm_execpath: place('npm.cjs') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const end = Promise.all([once(child, 'exit'), text(child.stderr ?? nothing)]);
  return {
    child,
    /** Resolves when it has printed this; never where it does not. */
    says: async (words: string) => {
      while (!printed.includes(words)) await once(child.stdout, 'data');
    },
    end: end.then(([[code], errors]) => ({ code: code as number, printed, errors })),
  };
}

const go = () => writeFileSync(place('go'), '');
const installations = () => readFileSync(place('installations'), 'utf8').trim().split('\n').length;
/** Somebody else's lock. */
function leaveLock(pid: number | '', age = 0): void {
  mkdirSync(path.dirname(lock()), { recursive: true });
  writeFileSync(lock(), String(pid));
  const then = Date.now() / 1000 - age;
  utimesSync(lock(), then, then);
}
const deadProcess = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('the first installation', () => {
  test('is made by one of two commands that start at once; the other waits, with a word, and then runs', async () => {
    const first = greet();
    await first.says('npm has begun');
    const second = greet();
    await second.says(`Another command, process ${first.child.pid}, is installing the dependencies; waiting for it …`);
    go();
    for (const { end } of [first, second]) {
      const { code, printed } = await end;
      expect([code, printed.trimEnd().split('\n').at(-1)]).toEqual([0, 'Hello.']);
    }
    expect(installations()).toBe(1);
    expect(readdirSync(path.dirname(lock()))).toEqual([]);
  });

  test('is made by the next command where the first one’s failed', async () => {
    writeFileSync(place('fail'), '');
    const first = greet();
    await first.says('npm has begun');
    const second = greet();
    await second.says('waiting for it');
    go();
    expect((await first.end).code).toBe(7);
    expect((await second.end).code).toBe(7);
    expect(installations()).toBe(2);
    expect(existsSync(lock())).toBe(false);
  });

  test('leaves no lock where it is stopped', async () => {
    const { child, says, end } = greet();
    await says('npm has begun');
    child.kill('SIGTERM');
    expect((await end).code).toBe(130);
    expect(existsSync(lock())).toBe(false);
  });
});

describe('a lock that nobody holds any longer', () => {
  test.each([
    ['of a process that is gone', () => leaveLock(deadProcess())],
    [
      'from before the machine was started anew, whose number another process has now',
      () => leaveLock(process.pid, 1e9),
    ],
    ['that was never written', () => leaveLock('', 60)],
  ])('is taken over: one %s', async (_what, leave) => {
    leave();
    go();
    const ends = await Promise.all([greet().end, greet().end]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    expect(installations()).toBe(1);
    expect(readdirSync(path.dirname(lock()))).toEqual([]);
  });
});

test('what is half written down of an installation is none yet', async () => {
  mkdirSync(place('node_modules'));
  appendFileSync(place('node_modules/.package-lock.json'), '{"pack');
  go();
  expect((await greet().end).printed).toMatch(/Installing dependencies(?:.|\n)*Hello\.\n$/);
});
