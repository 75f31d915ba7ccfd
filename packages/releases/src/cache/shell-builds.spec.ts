import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createTemporaryReleases, type TemporaryReleases, versionOf } from '../test/release-folder.ts';
import { ReleaseCache } from './release-cache.ts';
import { ShellBuilds } from './shell-builds.ts';

const script = 'shell.0a1b2c3d.js';
const { signal } = new AbortController();

let server: TemporaryReleases;
/** Where the server has the former build. */
let place: string;
beforeEach(async () => {
  server = createTemporaryReleases();
  place = path.join(server.folder, 'shell', versionOf(1));
  await open(1).fill(signal);
  await open(2).fill(signal);
});
afterEach(() => server.remove());

/** Starts the server with its nth build, on the same cache. */
function open(number: number): ShellBuilds {
  const folder = path.join(server.folder, `build-${number}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, number === 1 ? script : 'later.0a1b2c3e.js'), `build ${number}`);
  const { registry, copy } = server;
  const cache = new ReleaseCache(server.folder, () => undefined);
  return new ShellBuilds({ registry, copy, cache, own: { version: versionOf(number), folder }, retained: 5 });
}

const scriptIn = (folder: string | undefined) => folder && readFileSync(path.join(folder, script), 'utf8');

describe('the former build of the shell', () => {
  test('is fetched, and found by its files', () => {
    expect(scriptIn(open(2).folderOf(script))).toBe('build 1');
  });

  test.each([
    ['zeros', () => writeFileSync(path.join(place, script), Buffer.alloc('build 1'.length))],
    ['nothing', () => writeFileSync(path.join(place, script), '')],
    ['not even its name', () => rmSync(path.join(place, script))],
  ])('is not served, but fetched again, if a power failure left %s of a file', async (_what, damage) => {
    damage();
    const restarted = open(2);
    expect(restarted.folderOf(script)).toBeUndefined();
    await restarted.fill(signal);
    expect(scriptIn(restarted.folderOf(script))).toBe('build 1');
  });

  test('is fetched again if its folder is deleted meanwhile', async () => {
    const builds = open(2);
    expect(builds.folderOf(script)).toBe(place);
    rmSync(place, { recursive: true });
    expect(builds.folderOf(script)).toBeUndefined();
    await builds.fill(signal);
    expect(scriptIn(builds.folderOf(script))).toBe('build 1');
  });
});
