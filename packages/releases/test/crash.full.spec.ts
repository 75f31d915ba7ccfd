import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import { randomFrom } from '@daybook/testing/random';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import { createTemporaryReleases, versionOf } from '../src/test/release-folder.ts';
import { makeTemporaryFolder } from '../src/test/temporary-folder.ts';
import { describeFile, releaseOf } from '../src/test/temporary-site.ts';

const crashes = 30;
/** Max lifetime of a process, as a multiple of the time that the first one took to activate a release. */
const maxLifetime = 4;
const versions = [1, 2, 3, 4].map(versionOf);

let database: ReleasesDatabase;
let parent: string;
let folder: string;
let children: ChildProcess[];
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());
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

/** Starts a server after the crash, with the folder of the killed one; returns its state. */
async function openAfterCrash() {
  const registry = new PostgresRegistry(database.shellUrl);
  const releases = createTemporaryReleases(['mf-legal'], registry, folder);
  await releases.active.update();
  await registry.close();
  const { active = '' } = releases.copy.stateOf('mf-legal');
  const current = releases.active.registry().remotes[0]?.version;
  const stored = releases.active.find('mf-legal', active);
  const broken = Object.keys(stored?.release.files ?? { 'release.json': 0 }).filter(
    (file) => !stored || !readFileSync(path.join(stored.folder, file)).equals(contentOf(active, file)),
  );
  return { active, current, broken, problems: releases.problems };
}

test('a server that is killed at any moment leaves the old or the new release active and complete', async () => {
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const origins = versions.map(writeOrigin);
  const served = new Set<string>();
  const reported: unknown[] = [];
  const start = () => {
    const program = path.join(import.meta.dirname, '../src/test/processes/mirror-loop.ts');
    const child = spawn(process.execPath, [program, database.shellUrl, folder, ...origins], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
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
    const { active, current, broken, problems } = await openAfterCrash();
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
