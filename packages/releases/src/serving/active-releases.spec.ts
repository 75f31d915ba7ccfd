import { rmSync } from 'node:fs';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryRegistry } from '../registry/memory-registry.ts';
import { RegistryError } from '../registry/release-registry.ts';
import { newPreviewToken } from '../signature/signature.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { integrity, routeOf } from '../test/releases.ts';
import type { ActiveReleases } from './active-releases.ts';
import { folderOfFile, register } from './served-releases.ts';

const by = { by: 'test' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: TemporaryReleases;
let releases: ActiveReleases;

beforeEach(() => {
  folder = createTemporaryReleases();
  releases = folder.active;
});
afterEach(async () => {
  await releases.stop();
  folder.remove();
});

async function activate(name: string, version: string) {
  await folder.add(name, version);
  await folder.activate(name, version, by);
}
const active = (bucket?: number) => releases.registry(bucket).remotes.map(({ name, version }) => `${name}@${version}`);
const previous = (bucket?: number) => releases.registry(bucket).remotes[0]?.previous?.version;
const unreachable = async () => {
  throw new RegistryError(new Error('connect ECONNREFUSED'));
};

describe('the registry', () => {
  test('has name, version, entry address, routes and integrity values of each active release', async () => {
    await activate('mf-legal', first);
    const { entry, files } = wholeRelease('mf-legal', first);
    const { files: _, ...route } = routeOf('/mf-legal');
    expect(releases.registry()).toEqual({
      remotes: [
        {
          name: 'mf-legal',
          version: first,
          entry: `/remotes/mf-legal/${first}/${entry}`,
          integrity: { [entry]: files[entry]?.integrity },
          routes: [route],
        },
      ],
      missing: ['mf-privacy'],
    });
  });

  test('has the integrity values of scripts and styles only', () => {
    const names = ['a.js', 'a.js.br', 'b.css', 'b.css.gz', 'guide.pdf', 'serif.woff2'];
    const files = Object.fromEntries(names.map((name) => [name, { integrity, size: 0 }]));
    expect(register(wholeRelease('mf-legal', first, { files })).integrity).toEqual({
      'a.js': integrity,
      'b.css': integrity,
    });
  });

  test('is the same object until another release is active: pages are composed again for another one', async () => {
    await activate('mf-legal', first);
    const before = releases.registry();
    await folder.registry.reportOrigin('mf-legal', { address: 'http://mf-legal', offered: null, problem: null });
    await folder.add('mf-legal', second);
    expect(folder.copy.releasesOf('mf-legal')).toHaveLength(2);
    expect(releases.registry()).toBe(before);
    await folder.activate('mf-legal', second, by);
    expect(active()).toEqual([`mf-legal@${second}`]);
  });

  test('has the previously active release as the fallback, unless it was rolled back', async () => {
    await activate('mf-legal', first);
    expect(previous()).toBeUndefined();
    await activate('mf-legal', second);
    expect(previous()).toBe(first);
    await folder.replace('mf-legal', first, by);
    expect(previous()).toBe(second);
    await folder.rollback('mf-legal', by);
    expect([active(), previous()]).toEqual([[`mf-legal@${second}`], undefined]);
  });

  test('falls back to the previous release while the files of the active one are lost, until they are fetched again', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    expect(active()).toEqual([`mf-legal@${second}`]);
    await folder.cache.remove('mf-legal', second);
    expect([active(), previous()]).toEqual([[`mf-legal@${first}`], undefined]);
    await releases.update();
    expect(active()).toEqual([`mf-legal@${second}`]);
  });

  test('has a new release of a remote while files of another one never arrive', async () => {
    const { readFile } = folder.registry;
    folder.registry.readFile = (remote, ...parameters) =>
      remote === 'mf-legal' ? new Promise(() => undefined) : readFile.call(folder.registry, remote, ...parameters);
    void folder.add('mf-legal', first);
    await eventually(() => expect(folder.copy.releasesOf('mf-legal')).toHaveLength(1));
    void folder.add('mf-privacy', first);
    await eventually(() => expect(folder.cache.find('mf-privacy', first)).toBeDefined());
    await folder.activate('mf-privacy', first, by);
    expect(active()).toEqual([`mf-privacy@${first}`]);
    // It would wait for the fetch.
    jest.spyOn(releases, 'stop').mockResolvedValue();
  });

  test('changes with a pin on another server within a second, and a new server with an empty folder has it', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await releases.start();
    const other = folder.openAgain();
    await other.pin('mf-legal', first, by);
    await eventually(() => expect(active()).toEqual([`mf-legal@${first}`]));
    await other.active.start();
    expect(other.active.registry().remotes.map(({ version }) => version)).toEqual([first]);
    await other.active.stop();
    other.remove();
  });

  test('stays the same while the registry can’t be used, without the folder, and over a restart with it', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await folder.rollback('mf-legal', by);
    const before = releases.registry();
    const { read } = folder.registry;
    folder.registry.read = unreachable;
    await releases.update();
    expect(releases.registry()).toBe(before);
    const restarted = folder.openAgain(folder.folder);
    await restarted.active.start();
    expect(restarted.active.registry()).toEqual(before);
    expect(restarted.copy.problem?.message).toContain('ECONNREFUSED');
    await restarted.active.stop();
    rmSync(folder.folder, { recursive: true });
    await releases.update();
    // The same object: pages of it are in memory.
    expect(releases.registry()).toBe(before);
    folder.registry.read = read;
    await releases.update();
    expect(releases.find('mf-legal', first)).toBeDefined();
  });

  test('keeps what visitors got if the registry lost everything', async () => {
    await activate('mf-legal', first);
    folder.registry.read = () => new MemoryRegistry().read(new Map());
    await releases.update();
    expect(folder.copy.stateOf('mf-legal').active).toBeUndefined();
    expect(active()).toEqual([`mf-legal@${first}`]);
  });

  test('follows a registry that was restored from a backup, and reports it', async () => {
    await activate('mf-legal', first);
    const backup = new MemoryRegistry();
    const description = JSON.stringify(wholeRelease('mf-legal', first));
    await backup.store({ remote: 'mf-legal', version: first, description, files: [] }, async () => Buffer.from(''));
    await backup.append({ remote: 'mf-legal', revision: 1, action: 'pin', from: null, to: first, why: '', by: 'ada' });
    folder.registry.read = (known) => backup.read(known);
    await releases.update();
    expect(folder.copy.stateOf('mf-legal')).toMatchObject({ active: first, pinned: true });
    expect(folder.problems).toEqual([expect.stringContaining('was it restored from a backup?')]);
  });
});

describe('a canary', () => {
  beforeEach(async () => {
    await activate('mf-legal', first);
    await folder.add('mf-legal', second);
    await folder.canary('mf-legal', second, 10, by);
  });

  test('has one registry for all its visitors, and one for all others', () => {
    expect(releases.hasCanary()).toBe(true);
    expect([0, 9].map(active)).toEqual(Array(2).fill([`mf-legal@${second}`]));
    expect([undefined, 10, 99].map(active)).toEqual(Array(3).fill([`mf-legal@${first}`]));
    expect([previous(0), previous()]).toEqual([first, undefined]);
    expect(releases.registry(0)).toBe(releases.registry(9));
    expect(releases.registry(10)).toBe(releases.registry());
  });

  test.each([
    [100, second],
    [0, first],
  ])('is over when its share becomes %i %', async (percent, version) => {
    await folder.canary('mf-legal', second, percent, by);
    expect(releases.hasCanary()).toBe(false);
    expect([active(0), active()]).toEqual(Array(2).fill([`mf-legal@${version}`]));
  });
});

test('a preview whose row was damaged shows nothing', async () => {
  await activate('mf-legal', first);
  await folder.add('mf-legal', second);
  const endsAt = new Date(Date.now() + 60_000).toISOString();
  await folder.preview('mf-legal', second, { tokenHash: 'short', endsAt }, by);
  expect(await releases.findPreview(newPreviewToken())).toBeUndefined();
});

describe('a folder that can’t be written', () => {
  const fail = () => {
    throw Object.assign(new Error(`EROFS: read-only file system, rename ${Math.random()}`), { code: 'EROFS' });
  };

  test('leaves the site as it is, and is reported once', async () => {
    await activate('mf-legal', first);
    // Found at an origin, and not the build that another server has stored.
    const other = wholeRelease('mf-legal', first, { author: 'Ann' });
    await folder.cache.remove('mf-legal', first);
    const content = async function* read() {
      yield Buffer.from(first);
    };
    await folder.cache.add(other, JSON.stringify(other), content, new AbortController().signal);
    Object.assign(folder.cache, { remove: async () => fail(), prune: async () => fail() });
    const now = jest.spyOn(performance, 'now');
    for (const later of [0, 60_000]) {
      now.mockReturnValue(performance.timeOrigin + later);
      await releases.update();
      await releases.update();
    }
    now.mockRestore();
    expect(active()).toEqual([`mf-legal@${first}`]);
    expect(folder.problems.filter((problem) => problem.includes('mf-legal')).toSorted()).toEqual([
      expect.stringMatching(/^Old releases of mf-legal can't be removed .* RELEASES_FOLDER can’t be written/),
      expect.stringMatching(/^mf-legal@\S+ can't be fetched .* RELEASES_FOLDER can’t be written/),
    ]);
  });
});

describe('the files of stored releases', () => {
  const entry = wholeRelease('mf-legal', first).entry;
  beforeEach(async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await folder.add('mf-legal', third);
  });

  test('are found, active or not', () => {
    for (const version of [first, second, third])
      expect(folderOfFile(releases, 'mf-legal', version, wholeRelease('mf-legal', version).entry)).toBe(
        `${folder.folder}/mf-legal/${version}`,
      );
  });

  test.each([
    ['mf-legal', first, '__proto__'],
    ['mf-legal', first, 'toString'],
    ['mf-legal', first, `../${first}/${entry}`],
    ['mf-legal', first, `./${entry}`],
    ['mf-legal', first, ''],
    ['mf-legal', versionOf(4), entry],
    ['mf-legal', '', entry],
    ['mf-legal', '..', 'last-known.json'],
    ['mf-privacy', first, entry],
    ['__proto__', first, entry],
    ['.incoming', first, entry],
  ])('%s/%s/%s is not found', (name, version, file) => {
    expect(folderOfFile(releases, name, version, file)).toBeUndefined();
  });
});
