import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ShellBuild } from '../pages/shell-build.ts';
import { ReleaseStore } from '../releases/store/release-store.ts';
import { versionOf } from '../test/release-folder.ts';
import { createTemporarySite, integrity, prerenderedShell, type TemporarySite } from '../test/temporary-site.ts';
import { RetainedShellBuilds } from './retained-shell-builds.ts';

let site: TemporarySite;
let folder: string;
let builds: RetainedShellBuilds;

/** Opens the folder like another server. */
function openBuilds(): RetainedShellBuilds {
  const store = new ReleaseStore(folder, (problem) => {
    throw new Error(problem);
  });
  return new RetainedShellBuilds(store, 3);
}

beforeEach(() => {
  site = createTemporarySite();
  folder = path.join(site.folder, 'releases');
  builds = openBuilds();
});
afterEach(() => site.remove());

const fileOf = (number: number) => `shell.0000000${number}.js`;

/** The nth version of the shell, with its own script. */
function build(number: number): ShellBuild {
  const name = `shell-${number}`;
  site.write(`${name}/${fileOf(number)}`, `script ${number}`);
  site.write(`${name}/${fileOf(number)}.br`, 'compressed');
  site.write(`${name}/unhashed.js`, 'unhashed');
  const scripts = [{ file: fileOf(number), integrity }];
  site.write(
    `${name}/shell.json`,
    JSON.stringify({ version: versionOf(number), scripts, styles: [], ...prerenderedShell }),
  );
  return new ShellBuild(path.join(site.folder, name));
}

const placeOf = (number: number) => path.join(folder, '.shell', versionOf(number));
const storedVersions = () => readdirSync(path.join(folder, '.shell')).sort();

/** Sets how many seconds ago a version was started. */
const startedAgo = (number: number, seconds: number) => {
  const then = new Date(Date.now() - seconds * 1000);
  utimesSync(placeOf(number), then, then);
};

test('stores only the hashed files of a build', async () => {
  await builds.add(build(1));
  expect(readdirSync(placeOf(1)).sort()).toEqual([fileOf(1), `${fileOf(1)}.br`]);
  expect(readdirSync(path.join(folder, '.incoming'))).toEqual([]);
});

test('finds files of any version from another server on the folder', async () => {
  await builds.add(build(1));
  await openBuilds().add(build(2));
  expect(await builds.folderOf(fileOf(2))).toBe(placeOf(2));
  expect(await builds.folderOf(fileOf(1))).toBe(placeOf(1));
  expect(await builds.folderOf(fileOf(3))).toBeUndefined();
});

test('does not find files outside the builds', async () => {
  await builds.add(build(1));
  site.write('releases/.shell/other/shell.00000001.css', 'no version');
  expect(await builds.folderOf('../../secret.00000001.js')).toBeUndefined();
  expect(await builds.folderOf(`../${versionOf(1)}/${fileOf(1)}`)).toBeUndefined();
  expect(await builds.folderOf('shell.00000001.css')).toBeUndefined();
});

test('stores a version once if several servers start at the same time', async () => {
  const shell = build(1);
  await Promise.all([1, 2, 3].map(() => openBuilds().add(shell)));
  expect(storedVersions()).toEqual([versionOf(1)]);
  expect(readdirSync(path.join(folder, '.incoming'))).toEqual([]);
});

describe('with many versions', () => {
  beforeEach(async () => {
    for (const number of [1, 2, 3]) {
      await builds.add(build(number));
      startedAgo(number, 100 - number);
    }
  });

  test('retains the most recently started ones', async () => {
    await builds.add(build(4));
    expect(storedVersions()).toEqual([versionOf(2), versionOf(3), versionOf(4)]);
  });

  test('counts a restarted older version as most recent', async () => {
    await builds.add(build(1));
    startedAgo(1, 1);
    await builds.add(build(4));
    expect(storedVersions()).toEqual([versionOf(1), versionOf(3), versionOf(4)]);
  });
});

test("names a folder that can't be written in the error", async () => {
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.shell'), '');
  await expect(builds.add(build(1))).rejects.toThrow(path.join(folder, '.shell'));
  expect(await builds.folderOf(fileOf(1))).toBeUndefined();
  expect(existsSync(folder)).toBe(true);
});
