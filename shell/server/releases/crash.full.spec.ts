import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomFrom } from '../test/random.ts';
import { versionOf } from '../test/release-folder.ts';
import { makeTemporaryFolder } from '../test/temporary-folder.ts';
import { describeFile, releaseOf } from '../test/temporary-site.ts';
import { startProcess } from '../test/test-process.ts';
import { ActiveReleases } from './active-releases.ts';
import { ReleaseManagement } from './release-management.ts';

const crashes = 30;
/** Max lifetime of a process, as a multiple of the time that the first one took to activate a release. */
const maxLifetime = 4;
const versions = [1, 2, 3, 4].map(versionOf);

let parent: string;
let folder: string;
let children: ChildProcess[];
beforeEach(() => {
  children = [];
  parent = makeTemporaryFolder();
  folder = path.join(parent, 'releases');
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
});

const contentOf = (version: string, file: string) => Buffer.alloc(20_000, `${version} ${file} `);

/** Writes an origin with a release of some files; returns its path. */
function writeOrigin(version: string): string {
  const origin = path.join(parent, version);
  const names = ['entry.js', 'chunks/a.js', 'chunks/b.js', 'styles/a.css', 'fonts/a.woff2'];
  const files: Release['files'] = Object.fromEntries(
    names.map((name) => [name, describeFile(contentOf(version, name))]),
  );
  for (const name of names) {
    mkdirSync(path.dirname(path.join(origin, name)), { recursive: true });
    writeFileSync(path.join(origin, name), contentOf(version, name));
  }
  const release = releaseOf('mf-legal', { version, entry: 'entry.js', files });
  writeFileSync(path.join(origin, 'release.json'), JSON.stringify(release));
  return origin;
}

/** Opens the folder like a server that starts after the crash; returns its state. */
function openAfterCrash() {
  const problems: string[] = [];
  const management = new ReleaseManagement(folder, ['mf-legal'], (problem) => problems.push(problem));
  const { store, log } = management;
  const { active = '' } = log.stateOf('mf-legal');
  const current = new ActiveReleases(management).registry().remotes[0]?.version;
  const stored = store.find('mf-legal', active);
  for (const name of readdirSync(path.join(folder, 'mf-legal'))) {
    if (name.startsWith('1.')) store.find('mf-legal', name);
  }
  const broken = Object.keys(stored?.release.files ?? { 'release.json': 0 }).filter(
    (file) => !stored || !readFileSync(path.join(stored.folder, file)).equals(contentOf(active, file)),
  );
  return { active, current, broken, problems };
}

test('a server that is killed at any moment leaves the old or the new release active and complete', async () => {
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const origins = versions.map(writeOrigin);
  const served = new Set<string>();
  const reported: unknown[] = [];
  const start = () => {
    const child = startProcess('mirror-loop.ts', [folder, ...origins]);
    child.on('message', (message: { problem?: string }) => {
      if (message.problem) reported.push(message.problem);
    });
    children.push(child);
    return child;
  };
  const waiting = [start(), start(), start()];
  let releaseTime = 0;
  for (let crash = 1; crash <= crashes; crash += 1) {
    const child = waiting.shift() ?? start();
    if (crash + waiting.length < crashes) waiting.push(start());
    child.send('begin');
    await once(child, 'message');
    // The first process activates its first release, so that later crashes have one to lose. The time that it takes is
    // the unit of the moments of all crashes: a fixed one in ms fits one machine.
    if (crash === 1) {
      const begun = performance.now();
      await once(child, 'message');
      releaseTime = performance.now() - begun;
    }
    const exited = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), random() * maxLifetime * releaseTime);
    expect(await exited).toEqual([null, 'SIGKILL']);
    const { active, current, broken, problems } = openAfterCrash();
    expect({ seed, crash, current, broken, problems, reported, known: versions.includes(active) }).toEqual({
      current: active,
      seed,
      crash,
      broken: [],
      problems: [],
      reported: [],
      known: true,
    });
    served.add(active);
  }
  // The crashes happened at more than one release.
  expect({ seed, served: served.size > 1 }).toEqual({ seed, served: true });
});
