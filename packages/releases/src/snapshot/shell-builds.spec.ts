import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MemoryRegistry } from '@daybook/testing/memory-registry';
import { versionOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { LiveSnapshot } from './live-snapshot.ts';

const script = 'shell.0a1b2c3d.js';

let folder: string;
let registry: MemoryRegistry;
let opened: LiveSnapshot[];
beforeEach(async () => {
  [folder, registry, opened] = [makeTemporaryFolder(), new MemoryRegistry(), []];
  await start(1);
});
afterEach(async () => {
  for (const live of opened) await live.stop();
  rmSync(folder, { recursive: true });
});

/** Starts a server with its nth build, on the same cache. */
async function start(number: number, retained = 5): Promise<LiveSnapshot> {
  const build = path.join(folder, `build-${number}`);
  mkdirSync(build, { recursive: true });
  writeFileSync(path.join(build, number === 1 ? script : `later.0a1b2c3${number}.js`), `build ${number}`);
  const shell = { version: versionOf(number), folder: build, retained };
  const ignore = () => undefined;
  const teamKeys = { remotes: () => [], refresh: ignore };
  const live = new LiveSnapshot({ teamKeys, registry, folder, shell, report: ignore, onRecovery: ignore });
  opened.push(live);
  await live.start();
  return live;
}

const scriptOf = ({ current }: LiveSnapshot) => {
  const found = current.shellFolderOf(script);
  return found && readFileSync(path.join(found, script), 'utf8');
};
const place = () => path.join(folder, 'shell', versionOf(1));

test('the former build of the shell is fetched, and found by its files, until enough others are retained', async () => {
  const second = await start(2);
  expect(scriptOf(second)).toBe('build 1');
  for (const file of ['../x', 'later.0a1b2c33.js', '', '__proto__'])
    expect(second.current.shellFolderOf(file)).toBeUndefined();
  const fourth = await start(4, 2);
  await fourth.update();
  expect(scriptOf(fourth)).toBeUndefined();
});

test.each([
  ['zeros', () => writeFileSync(path.join(place(), script), Buffer.alloc('build 1'.length))],
  ['nothing', () => writeFileSync(path.join(place(), script), '')],
  ['not even its name', () => rmSync(path.join(place(), script))],
  ['no folder', () => rmSync(place(), { recursive: true })],
])('it is fetched again if %s of a file is left', async (_what, damage) => {
  await start(2);
  damage();
  const restarted = await start(2);
  await restarted.update();
  expect(scriptOf(restarted)).toBe('build 1');
});
