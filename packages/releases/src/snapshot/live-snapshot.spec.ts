import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually } from '@daybook/testing/eventually';
import { MemoryRegistry } from '@daybook/testing/memory-registry';
import { integrity, routeOf, versionOf, wholeRelease } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { inlineIndex, register } from '../manifest/registered-remote.ts';
import { RegistryError } from '../registry/release-registry.ts';
import { newPreviewToken } from '../signature/preview-token.ts';
import type { LiveSnapshot } from './live-snapshot.ts';

const by = { by: 'test' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let server: TemporaryReleases;
let releases: LiveSnapshot;

beforeEach(() => {
  server = createTemporaryReleases();
  releases = server.live;
});
afterEach(async () => {
  await releases.stop();
  server.remove();
});

async function activate(name: string, ...versions: readonly string[]) {
  for (const version of versions) {
    await server.add(name, version);
    await server.activate(name, version, by);
  }
}
/** Returns version and fallback of the release of mf-legal for a visitor. */
function legal(bucket?: number, of = releases) {
  const { version, previous } = of.remoteIndex(bucket).remotes.find(({ name }) => name === 'mf-legal') ?? {};
  return [version, previous?.version];
}

describe('the remote index', () => {
  test('has name, version, entry address, routes and integrity values of scripts and styles of each active release', async () => {
    await activate('mf-legal', first);
    const { entry, files } = wholeRelease('mf-legal', first);
    const { files: _, ...route } = routeOf('/mf-legal');
    expect(releases.remoteIndex()).toEqual({
      remotes: [
        {
          name: 'mf-legal',
          version: first,
          entry: `/remotes/mf-legal/${first}/${entry}`,
          integrity: { [entry]: files[entry]?.integrity },
          routes: [{ ...route, files: [] }],
        },
      ],
      missing: ['mf-privacy'],
    });
    const names = ['a.js', 'a.js.br', 'b.css', 'b.css.gz', 'guide.pdf', 'serif.woff2'];
    const listed = Object.fromEntries(names.map((name) => [name, { integrity, size: 0 }]));
    expect(register(wholeRelease('mf-legal', first, { files: listed })).integrity).toEqual({
      'a.js': integrity,
      'b.css': integrity,
    });
  });

  test('has the scripts and styles of each page, up to the size that is downloaded ahead; a page has those of its own remote', () => {
    const names = ['a.js', 'b.css', 'guide.pdf', 'large.js'];
    const files = Object.fromEntries(names.map((name) => [name, { integrity, size: 200_000 }]));
    const remotes = ['mf-legal', 'mf-privacy'].map((name) =>
      register(wholeRelease(name, first, { files, routes: [{ ...routeOf(`/${name}`), files: names }] })),
    );
    expect(remotes.map(({ routes }) => routes[0]?.files)).toEqual([
      ['a.js', 'b.css'],
      ['a.js', 'b.css'],
    ]);
    const inlined = inlineIndex({ remotes, missing: [] }, 'mf-legal');
    expect(inlined.remotes.map(({ routes }) => routes[0]?.files)).toEqual([['a.js', 'b.css'], undefined]);
  });

  test('is the same object until another release is active: pages are composed again for another one', async () => {
    await activate('mf-legal', first);
    const before = releases.remoteIndex();
    await server.add('mf-legal', second);
    expect(server.snapshot().servableOf('mf-legal')).toHaveLength(2);
    expect(releases.remoteIndex()).toBe(before);
    await server.activate('mf-legal', second, by);
    expect(legal()).toEqual([second, first]);
  });

  test('has the previously active release as the fallback, unless it was rolled back, also while files are lost', async () => {
    await activate('mf-legal', first);
    expect(legal()).toEqual([first, undefined]);
    await activate('mf-legal', second);
    expect(legal()).toEqual([second, first]);
    const { readFile } = server.registry;
    server.registry.readFile = () => Promise.reject(new Error('away'));
    await server.live.files.remove('mf-legal', second);
    await releases.update();
    expect([legal(), releases.current.problemOf('mf-legal', second)]).toEqual([
      [first, undefined],
      'its files are not here yet',
    ]);
    server.registry.readFile = readFile;
    // What failed is tried again a while later.
    const restarted = server.openAgain(server.folder);
    await restarted.live.start();
    expect(legal(undefined, restarted.live)).toEqual([second, first]);
    await restarted.live.stop();
    await server.live.files.find(restarted.snapshot().servable('mf-legal', second) as never);
    await releases.update();
    expect(legal()).toEqual([second, first]);
    await server.activate('mf-legal', first, by);
    expect(legal()).toEqual([first, second]);
    await server.rollback('mf-legal', by);
    expect(legal()).toEqual([second, undefined]);
  });

  test('keeps the active release while its commit is added to it', async () => {
    await activate('mf-legal', first, second);
    const manifest = JSON.stringify(wholeRelease('mf-legal', second, { commit: 'a'.repeat(40) }, second));
    await server.registry.restate({ remote: 'mf-legal', version: second, manifest, signature: '' });
    await releases.refresh();
    expect([legal(), releases.find('mf-legal', second)?.manifest]).toEqual([[second, first], manifest]);
  });

  test('has a new release of a remote while files of another one never arrive', async () => {
    const { readFile } = server.registry;
    server.registry.readFile = (remote, ...parameters) =>
      remote === 'mf-privacy' ? new Promise(() => undefined) : readFile.call(server.registry, remote, ...parameters);
    void server.add('mf-privacy', first);
    await eventually(() => expect(server.snapshot().servableOf('mf-privacy')).toHaveLength(1));
    void server.add('mf-legal', first);
    await eventually(() => expect(releases.find('mf-legal', first)).toBeDefined());
    await server.activate('mf-legal', first, by);
    expect(legal()).toEqual([first, undefined]);
    // It would wait for the fetch.
    jest.spyOn(releases, 'stop').mockResolvedValue();
  });

  test('changes with an activation on another server within a second, and a new server with an empty folder has it', async () => {
    await activate('mf-legal', first, second);
    await releases.start();
    const other = server.openAgain();
    await other.activate('mf-legal', first, by);
    await eventually(() => expect(legal()).toEqual([first, second]));
    await other.live.start();
    expect(legal(undefined, other.live)).toEqual([first, second]);
    await other.live.stop();
    other.remove();
  });

  test('stays the same while the registry can’t be used, without the folder, and over a restart with it', async () => {
    await activate('mf-legal', first, second);
    await server.rollback('mf-legal', by);
    const before = releases.remoteIndex();
    const { read } = server.registry;
    server.registry.read = async () => {
      throw new RegistryError(new Error('connect ECONNREFUSED'));
    };
    await releases.update();
    expect(releases.remoteIndex()).toBe(before);
    const restarted = server.openAgain(server.folder);
    await restarted.live.start();
    expect(restarted.live.remoteIndex()).toEqual(before);
    expect(restarted.live.problem?.message).toContain('ECONNREFUSED');
    await restarted.live.stop();
    rmSync(server.folder, { recursive: true });
    await releases.update();
    // The same object: pages of it are in memory.
    expect(releases.remoteIndex()).toBe(before);
    server.registry.read = read;
    await releases.update();
    expect(releases.find('mf-legal', first)).toBeDefined();
  });

  test('keeps what visitors got if the registry lost everything, follows one restored from a backup, and reports it', async () => {
    await activate('mf-legal', first);
    const backup = new MemoryRegistry();
    server.registry.read = (known) => backup.read(known);
    await releases.update();
    expect([server.snapshot().stateOf('mf-legal').active, ...legal()]).toEqual([undefined, first, undefined]);
    // Its pages and files, too; and still after the next change.
    await server.add('mf-privacy', first);
    expect([legal(), releases.find('mf-legal', first)?.folder]).toEqual([
      [first, undefined],
      `${server.folder}/mf-legal/${first}`,
    ]);
    const manifest = JSON.stringify(wholeRelease('mf-legal', first));
    const stored = { remote: 'mf-legal', version: first, manifest, signature: '', pages: {} };
    await backup.store(stored, [], async () => Buffer.from(''));
    const words = { why: '', by: 'ada' };
    await backup.append({ remote: 'mf-legal', number: 1, action: 'activate', version: first, ...words });
    await backup.append({ remote: 'mf-legal', number: 2, action: 'hold', ...words });
    await releases.update();
    expect(server.snapshot().stateOf('mf-legal')).toMatchObject({ active: first, heldBy: 'ada' });
    expect(server.problems).toEqual([expect.stringContaining('was it restored from a backup?')]);
  });
});

test.each<[string, string, () => unknown]>([
  ['activated', second, () => server.activate('mf-legal', second, by)],
  ['ended', first, () => server.end('mf-legal', by)],
])(
  'a canary has one remote index for all its visitors, and one for all others, until it is %s',
  async (_how, version, conclude) => {
    await activate('mf-legal', first);
    await server.add('mf-legal', second);
    await server.offer('mf-legal', second, { percent: 10 }, by);
    expect(releases.hasCanary()).toBe(true);
    expect([0, 9].map((bucket) => legal(bucket))).toEqual(Array(2).fill([second, first]));
    expect([undefined, 10, 99].map((bucket) => legal(bucket))).toEqual(Array(3).fill([first, undefined]));
    expect(releases.remoteIndex(0)).toBe(releases.remoteIndex(9));
    expect(releases.remoteIndex(10)).toBe(releases.remoteIndex());
    await conclude();
    expect(releases.hasCanary()).toBe(false);
    expect([legal(0)[0], legal()[0]]).toEqual([version, version]);
  },
);

test('a preview whose row was damaged shows nothing', async () => {
  await activate('mf-legal', first);
  await server.add('mf-legal', second);
  const endsAt = new Date(Date.now() + 60_000).toISOString();
  await server.offer('mf-legal', second, { tokenHash: 'short', endsAt }, by);
  expect(releases.findPreview(newPreviewToken())).toBeUndefined();
});

test('a folder that can’t be written leaves the site as it is, and is reported once', async () => {
  await activate('mf-legal', first);
  const fail = async () => {
    throw Object.assign(new Error(`EROFS: read-only file system, rename ${Math.random()}`), { code: 'EROFS' });
  };
  Object.assign(server.live.files, { fetch: fail, prune: fail });
  await server.add('mf-legal', second);
  const now = jest.spyOn(performance, 'now');
  for (const later of [0, 0, 60_000, 60_000]) {
    now.mockReturnValue(performance.timeOrigin + later);
    await releases.update();
  }
  now.mockRestore();
  expect(legal()).toEqual([first, undefined]);
  expect(server.problems.filter((problem) => problem.includes('mf-legal')).toSorted()).toEqual([
    expect.stringMatching(/^Old releases of mf-legal can't be removed .* RELEASES_FOLDER can’t be written/),
    expect.stringMatching(/^mf-legal@\S+ can't be fetched .* RELEASES_FOLDER can’t be written/),
  ]);
});

test('a release that was removed and stored again with other content is fetched again', async () => {
  await activate('mf-legal', first);
  await server.registry.remove('mf-legal', [first], 1);
  const { entry } = await server.add('mf-legal', first, {}, 'other');
  const file = path.join(releases.find('mf-legal', first)?.folder ?? '', entry);
  expect(readFileSync(file, 'utf8')).toBe('other');
});

describe('a server that stops', () => {
  let order: string[];
  let begun: PromiseWithResolvers<void>;
  let resumed: PromiseWithResolvers<void>;
  beforeEach(() => {
    order = [];
    [begun, resumed] = [Promise.withResolvers(), Promise.withResolvers()];
  });

  /** Waits until the test goes on. */
  const hold = () => {
    begun.resolve();
    return resumed.promise;
  };
  /** Stops it in the middle of what is held, which goes on later. */
  async function stopMeanwhile(): Promise<void> {
    void releases.start();
    await begun.promise;
    const stopped = releases.stop().then(() => order.push('stopped'));
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    resumed.resolve();
    await stopped;
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  }

  test('waits for the writes that run', async () => {
    server.live.files.prune = () => hold().then(() => void order.push('written'));
    await stopMeanwhile();
    expect(order).toEqual(['written', 'written', 'stopped']);
  });

  test('begins no writes after the read that runs', async () => {
    const { read } = server.registry;
    server.registry.read = (known) => hold().then(() => read.call(server.registry, known));
    server.live.files.prune = async () => void order.push('written');
    await stopMeanwhile();
    expect(order).toEqual(['stopped']);
  });
});

test('stored releases are found, active or not, and nothing else', async () => {
  await activate('mf-legal', first, second);
  await server.add('mf-legal', third);
  for (const version of [first, second, third])
    expect(releases.find('mf-legal', version)?.folder).toBe(`${server.folder}/mf-legal/${version}`);
  for (const [name, version] of [
    ['mf-legal', versionOf(4)],
    ['mf-legal', ''],
    ['mf-legal', '..'],
    ['mf-legal', `../mf-legal/${first}`],
    ['mf-privacy', first],
    ['__proto__', first],
    ['.incoming', first],
  ] as const)
    expect([name, version, releases.find(name, version)]).toEqual([name, version, undefined]);
});

describe('reading the registry', () => {
  const remote = 'mf-legal';
  beforeEach(async () => {
    for (const version of [first, second]) await server.add(remote, version);
    await server.activate(remote, first, by);
  });

  test('brings what was in it at the time of the call, also if a read runs already', async () => {
    const { read } = server.registry;
    const [started, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.registry.read = async (known) => {
      const state = await read.call(server.registry, known);
      started.resolve();
      await go.promise;
      return state;
    };
    const earlier = releases.refresh();
    await started.promise;
    server.registry.read = read;
    const other = server.openAgain();
    await other.activate(remote, second, by);
    const later = releases.refresh();
    go.resolve();
    await Promise.all([earlier, later]);
    expect(server.snapshot().stateOf(remote).active).toBe(second);
    other.remove();
  });

  test('keeps a deployment that this server appends meanwhile', async () => {
    const { read } = server.registry;
    server.registry.read = async (known) => {
      server.registry.read = read;
      const state = await read.call(server.registry, known);
      const number = server.snapshot().stateOf(remote).number + 1;
      await releases.append({ remote, number, action: 'activate', version: second, why: '', by: 'test' });
      return state;
    };
    await releases.refresh();
    expect(server.snapshot().stateOf(remote)).toMatchObject({ active: second, number: 2 });
    expect(server.problems).toEqual([]);
  });

  test('reports once that it can’t be used, with the time since, and once that it can again', async () => {
    const { read } = server.registry;
    server.registry.read = async () => {
      throw new Error('away');
    };
    for (let time = 0; time < 3; time += 1) await expect(releases.refresh()).rejects.toThrow('away');
    expect(server.problems).toEqual(['away']);
    expect(releases.problem).toEqual({ message: 'away', since: expect.stringMatching(/^2.*Z$/) });
    server.registry.read = read;
    for (let time = 0; time < 3; time += 1) await releases.refresh();
    expect(releases.problem).toBeUndefined();
    expect(server.recoveries).toEqual([
      expect.stringMatching(/^The release registry can be used again; it could not since 2/),
    ]);
  });

  test.each(['', '{', '{}', 'null', '{"deployments":[{}],"releases":7}'])(
    'is all that a server with a damaged last known state needs: %j',
    async (text) => {
      writeFileSync(path.join(server.folder, 'last-known.json'), text);
      const again = server.openAgain(server.folder);
      await again.live.start();
      expect(again.snapshot().stateOf(remote).active).toBe(first);
      await again.live.stop();
    },
  );

  test('reports once that the last known state can’t be stored, and changes nothing else', async () => {
    expect(readdirSync(server.folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    rmSync(server.folder, { recursive: true });
    writeFileSync(server.folder, 'in the way');
    await server.activate(remote, second, by);
    await server.activate(remote, first, by);
    expect(server.snapshot().stateOf(remote).active).toBe(first);
    expect(server.problems).toEqual([expect.stringMatching(/^The last known releases can't be stored: /)]);
  });
});
