import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../test/eventually.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { routeOf } from '../test/temporary-site.ts';
import { ActiveReleases } from './active-releases.ts';
import { folderOfFile, register } from './site-releases.ts';

const by = { by: 'test' };
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];

let folder: TemporaryReleases;
let releases: ActiveReleases;

beforeEach(() => {
  folder = createTemporaryReleases();
  releases = new ActiveReleases(folder);
});
afterEach(() => {
  releases.stop();
  folder.remove();
});

async function activate(name: string, version: string) {
  await folder.add(name, version);
  folder.activate(name, version, by);
}
const active = (bucket?: number) => releases.registry(bucket).remotes.map(({ name, version }) => `${name}@${version}`);

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
    const files = Object.fromEntries(
      ['a.js', 'a.js.br', 'b.css', 'b.css.gz', 'guide.pdf', 'serif.woff2'].map((name) => [
        name,
        { integrity: `sha384-${'A'.repeat(64)}`, size: 0 },
      ]),
    );
    const { integrity } = register(wholeRelease('mf-legal', first, { files }));
    expect(Object.keys(integrity ?? {})).toEqual(['a.js', 'b.css']);
  });

  test('is the same object until a release changes', async () => {
    await activate('mf-legal', first);
    const before = releases.registry();
    expect(releases.registry()).toBe(before);
    await activate('mf-legal', second);
    expect(releases.registry()).not.toBe(before);
    expect(active()).toEqual([`mf-legal@${second}`]);
  });

  test('has the previously active release as the fallback', async () => {
    await activate('mf-legal', first);
    expect(releases.registry().remotes[0]?.previous).toBeUndefined();
    await activate('mf-legal', second);
    expect(releases.registry().remotes[0]?.previous?.version).toBe(first);
  });

  test('does not fall back to a release that was rolled back', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    folder.rollback('mf-legal', by);
    expect(active()).toEqual([`mf-legal@${first}`]);
    expect(releases.registry().remotes[0]?.previous).toBeUndefined();
  });

  test('falls back to the previous release if the active one is lost', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await folder.store.prune('mf-legal', new Set([first]));
    expect(active()).toEqual([`mf-legal@${first}`]);
  });

  test('serves the active release again once another process has stored it again', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await folder.store.prune('mf-legal', new Set([first]));
    expect(active()).toEqual([`mf-legal@${first}`]);
    releases.watch((error) => {
      throw error;
    });
    const release = wholeRelease('mf-legal', second);
    const read = async function* read() {
      yield Buffer.from(second);
    };
    await folder.openAgain().store.add(release, JSON.stringify(release), read, AbortSignal.timeout(5_000));
    await eventually(() => expect(active()).toEqual([`mf-legal@${second}`]));
  });

  test('changes with the log of another process', async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    releases.watch((error) => {
      throw error;
    });
    folder.openAgain().rollback('mf-legal', by);
    await eventually(() => expect(active()).toEqual([`mf-legal@${first}`]));
  });
});

describe('a canary', () => {
  beforeEach(async () => {
    await activate('mf-legal', first);
    await folder.add('mf-legal', second);
    folder.canary('mf-legal', second, 10, by);
  });

  test.each([
    [undefined, first],
    [0, second],
    [9, second],
    [10, first],
    [99, first],
  ])('for 10 %: the visitor in bucket %p gets %p', (bucket, version) => {
    expect(releases.hasCanary()).toBe(true);
    expect(active(bucket)).toEqual([`mf-legal@${version}`]);
  });

  test('falls back to the active release', () => {
    expect(releases.registry(0).remotes[0]?.previous?.version).toBe(first);
  });

  test('has one registry for all its visitors, and one for all others', () => {
    expect(releases.registry(0)).toBe(releases.registry(9));
    expect(releases.registry(10)).toBe(releases.registry());
  });

  test('is over when it is promoted', () => {
    folder.canary('mf-legal', second, 100, by);
    expect(releases.hasCanary()).toBe(false);
    expect(active()).toEqual([`mf-legal@${second}`]);
  });

  test('is over when it is ended', () => {
    folder.canary('mf-legal', second, 0, by);
    expect(releases.hasCanary()).toBe(false);
    expect(active(0)).toEqual([`mf-legal@${first}`]);
  });
});

describe('the files of stored releases', () => {
  const entry = wholeRelease('mf-legal', first).entry;
  beforeEach(async () => {
    await activate('mf-legal', first);
    await activate('mf-legal', second);
    await folder.add('mf-legal', third);
  });

  test.each([first, second, third])('of %s are found, active or not', (version) => {
    const file = wholeRelease('mf-legal', version).entry;
    expect(folderOfFile(releases, 'mf-legal', version, file)).toBe(`${folder.folder}/mf-legal/${version}`);
  });

  test.each([
    ['mf-legal', first, '__proto__'],
    ['mf-legal', first, 'toString'],
    ['mf-legal', first, `../${first}/${entry}`],
    ['mf-legal', first, `./${entry}`],
    ['mf-legal', first, ''],
    ['mf-legal', versionOf(4), entry],
    ['mf-legal', '', entry],
    ['mf-legal', '..', 'log.jsonl'],
    ['mf-privacy', first, entry],
    ['__proto__', first, entry],
    ['.incoming', first, entry],
  ])('%s/%s/%s is not found', (name, version, file) => {
    expect(folderOfFile(releases, name, version, file)).toBeUndefined();
  });
});
