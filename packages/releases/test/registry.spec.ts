import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/runner/releases-database';
import { eventually } from '@daybook/testing/eventually';
import { MemoryRegistry } from '@daybook/testing/memory-registry';
import { describeReplicas } from '@daybook/testing/registry-replicas';
import { versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { PostgresRegistry } from '../src/registry/postgres-registry.ts';
import { ConflictError, RegistryError, type ReleaseRegistry } from '../src/registry/release-registry.ts';
import type { Deployment, NewDeployment } from '../src/registry/remote-state.ts';

let database: ReleasesDatabase;

beforeAll(async () => {
  database = await startReleasesDatabase();
});

afterAll(() => database.stop());

const remote = 'mf-legal';
const nothingKnown = new Map<string, number>();
const content = Buffer.from([0, 1, 254, 255]);

const release = (number: number, of = remote) => ({
  remote: of,
  version: versionOf(number),
  manifest: `{ "number": ${number} }\n`,
  signature: 'a.b.c',
  pages: { 'terms.html': { integrity: 'sha384-x', size: 1 } },
});
const files = ['a.js', 'folder/b.js'];

const store = (registry: ReleaseRegistry, number: number, of = remote) =>
  registry.store(release(number, of), files, async (name) => Buffer.concat([content, Buffer.from(name)]));

const activation = (number: number, version: number, changes: Partial<Deployment> = {}): NewDeployment => ({
  remote,
  number,
  action: 'activate',
  version: versionOf(version),
  why: 'a “test”',
  by: 'Ada',
  ...changes,
});

const kinds = {
  inMemory: () => new MemoryRegistry(),
  inPostgres: ({ shellUrl }: ReleasesDatabase) => new PostgresRegistry(shellUrl),
  database: () => database,
};

describeReplicas<ReleaseRegistry>('a registry %s', kinds, (replicas) => {
  let one: ReleaseRegistry;
  let other: ReleaseRegistry;
  beforeEach(() => {
    [one, other] = replicas();
  });

  test('returns a release as it was stored, byte for byte, and nothing of others', async () => {
    expect(await one.read(nothingKnown)).toEqual({ deployments: [], releases: [] });
    expect(await store(one, 1)).toBe(true);
    expect(await other.readManifest(remote, versionOf(1))).toMatchObject({
      manifest: '{ "number": 1 }\n',
      pages: release(1).pages,
    });
    expect(await other.readFile(remote, versionOf(1), 'folder/b.js')).toEqual(
      Buffer.concat([content, Buffer.from('folder/b.js')]),
    );
    const { releases } = await other.read(nothingKnown);
    expect(releases).toEqual([{ remote, version: versionOf(1), storedAt: expect.any(Number) }]);
    expect(await one.readManifest(remote, versionOf(2))).toBeUndefined();
    expect(await one.readFile(remote, versionOf(2), 'a.js')).toBeUndefined();
    expect(await one.readFile(remote, versionOf(1), 'c.js')).toBeUndefined();
  });

  test('stores a version once, whoever is first, and nothing of a release whose file can’t be read', async () => {
    const failing = one.store(release(1), files, async (name) => {
      if (name === 'a.js') return content;
      throw new Error('a broken disk');
    });
    await expect(failing).rejects.toThrow('a broken disk');
    expect((await other.read(nothingKnown)).releases).toEqual([]);
    const stored = await Promise.all([store(one, 1), store(other, 1)]);
    expect(stored.sort()).toEqual([false, true]);
    expect(await store(one, 1)).toBe(false);
  });

  test('returns deployments with their time to all, as they were appended', async () => {
    await store(one, 1);
    const words = { remote, why: 'a “test”', by: 'Ada' };
    const offer = { ...words, action: 'offer', version: versionOf(1) } as const;
    const deployments: NewDeployment[] = [
      { ...offer, number: 1, audience: 'canary', percent: 10 },
      { ...words, number: 2, action: 'end', audience: 'canary', version: versionOf(2) },
      { ...offer, number: 3, audience: 'preview', tokenHash: 'a'.repeat(43), endsAt: '2026-12-02T10:00:00.000Z' },
      { ...words, number: 4, action: 'hold' },
      { ...words, number: 5, action: 'lift' },
      activation(6, 1, { left: versionOf(2) }),
      activation(7, 1),
    ];
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const made: Deployment[] = [];
    for (const each of deployments) made.push(await one.append(each));
    expect(made).toStrictEqual(deployments.map((each) => ({ ...each, at })));
    expect((await other.read(nothingKnown)).deployments).toStrictEqual(made);
  });

  test('returns of each remote the last known deployment and the later ones', async () => {
    await store(one, 1);
    await store(one, 1, 'mf-privacy');
    for (const number of [1, 2, 3]) await one.append(activation(number, 1));
    await one.append(activation(1, 1, { remote: 'mf-privacy' }));
    const { deployments } = await other.read(new Map([[remote, 2]]));
    expect(deployments.map((each) => `${each.remote} ${each.number}`).toSorted()).toEqual([
      `${remote} 2`,
      `${remote} 3`,
      'mf-privacy 1',
    ]);
  });

  test('lets exactly one of several concurrent deployments of a remote count, after its predecessor, of a stored release', async () => {
    await store(one, 1);
    const results = await Promise.allSettled(
      [one, other, one, other].map((registry) => registry.append(activation(1, 1))),
    );
    const failures = results.filter((each) => each.status === 'rejected');
    expect(failures.map(({ reason }) => reason)).toEqual(Array(3).fill(expect.any(ConflictError)));
    const offered = { action: 'offer', audience: 'canary', percent: 1 } as const;
    for (const rejected of [activation(1, 1), activation(3, 1), activation(2, 2), activation(2, 2, offered)])
      await expect(other.append(rejected)).rejects.toThrow(ConflictError);
    expect((await one.read(nothingKnown)).deployments).toHaveLength(1);
  });

  test('publishes a release with its deployment, both or neither, and decides again after another deployment', async () => {
    await store(one, 1);
    const read = async (name: string) => Buffer.from(name);
    const decisions: number[] = [];
    const decideOn = (registry: ReleaseRegistry, version: number) => async () => {
      const { deployments } = await registry.read(nothingKnown);
      decisions.push(version);
      return activation(deployments.length + 1, version);
    };
    const made = await Promise.all([
      one.publish(release(2), files, read, decideOn(one, 2)),
      other.publish(release(3), files, read, decideOn(other, 3)),
    ]);
    expect(made.map((each) => (each as Deployment).number).toSorted()).toEqual([1, 2]);
    const refused = new Error('it is not wanted');
    await expect(one.publish(release(4), files, read, () => Promise.reject(refused))).rejects.toThrow(refused);
    await expect(one.publish(release(4), files, read, async () => activation(1, 4))).rejects.toThrow(ConflictError);
    await expect(one.publish(release(1), files, read, async () => activation(3, 1))).rejects.toThrow(ConflictError);
    expect(await one.publish(release(5), files, read, async () => 'held')).toBe('held');
    const { releases, deployments } = await other.read(nothingKnown);
    expect(releases.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 5].map(versionOf));
    expect(deployments).toHaveLength(2);
    expect(await other.readFile(remote, versionOf(3), 'folder/b.js')).toEqual(Buffer.from('folder/b.js'));
  });

  test('removes releases with their files, unless their remote has changed since', async () => {
    await store(one, 1);
    await store(one, 2);
    await other.remove(remote, [versionOf(1)], 0);
    expect((await one.read(nothingKnown)).releases.map(({ version }) => version)).toEqual([versionOf(2)]);
    expect(await one.readFile(remote, versionOf(1), 'a.js')).toBeUndefined();
    await one.append(activation(1, 2));
    await other.remove(remote, [versionOf(2)], 0);
    expect((await one.read(nothingKnown)).releases).toHaveLength(1);
  });

  test('moves a release that is in use again to the front', async () => {
    const storedAt = async () => (await one.read(nothingKnown)).releases[0]?.storedAt ?? Number.NaN;
    await store(one, 1);
    const before = await storedAt();
    await eventually(async () => {
      await one.touch(remote, versionOf(1));
      expect(await storedAt()).toBeGreaterThan(before);
    });
  });

  test('retains what it has of a remote that is no longer in TEAM_KEYS, though nobody sees or changes it', async () => {
    const removed = 'mf-help';
    await store(one, 1, removed);
    await one.append(activation(1, 1, { remote: removed }));
    await one.append({ remote: removed, number: 2, action: 'hold', why: '', by: 'Ada' });
    const without = createTemporaryReleases([remote], one);
    await without.live.refresh();
    await expect(without.lift(removed, { by: 'Ada' })).rejects.toThrow(
      'There is no remote “mf-help”; there are mf-legal.',
    );
    // It returns as it was: what was rolled back or held before must not change by itself.
    const again = createTemporaryReleases([remote, removed], other);
    await again.live.refresh();
    expect(again.snapshot().stateOf(removed)).toMatchObject({ active: versionOf(1), heldBy: expect.any(String) });
    expect(again.snapshot().storedOf(removed)).toHaveLength(1);
    for (const each of [without, again]) each.remove();
  });
});

describe('a registry in PostgreSQL', () => {
  let registry: PostgresRegistry;
  beforeEach(async () => {
    await database.empty();
    registry = new PostgresRegistry(database.shellUrl);
  });
  afterEach(() => registry.close());

  let opened: TemporaryReleases[] = [];
  afterEach(() => {
    for (const each of opened.splice(0)) each.remove();
  });
  /** Opens a server with an empty folder. */
  function openServer(): TemporaryReleases {
    const server = createTemporaryReleases([remote], registry);
    opened = [...opened, server];
    return server;
  }
  const storeThree = async () => {
    for (const number of [1, 2, 3]) {
      await store(registry, number);
      await registry.append(activation(number, number));
    }
    return openServer();
  };

  test('has all deployments at the first read, also those after the clock of the database was set back', async () => {
    const { live, snapshot } = await storeThree();
    await database.query("UPDATE releases.deployment SET at = at - interval '3 hours' WHERE number = 3");
    await live.refresh();
    expect(snapshot().stateOf(remote)).toMatchObject({ active: versionOf(3), number: 3 });
    expect(
      snapshot()
        .deployments()
        .map(({ number }) => number),
    ).toEqual([3, 1, 2]);
  });

  test('returns a log of any length, such as that of a machine that publishes all the time', async () => {
    await database.query(`
      INSERT INTO releases.deployment (remote, number, action, version, why, by)
      SELECT remote, number, 'activate', '1.0.1-00000001', 'published', 'team'
      FROM generate_series(1, 6000) AS number, unnest('{mf-legal,mf-offers}'::text[]) AS remote`);
    for (const [legal, offers] of [
      [0, 0],
      [3_000, 6_000],
    ] as const) {
      const { deployments } = await registry.read(new Map(Object.entries({ 'mf-legal': legal, 'mf-offers': offers })));
      const numbers = (of: string) => deployments.flatMap((each) => (each.remote === of ? each.number : []));
      // The last deployment that a server knows comes again, so that it sees whether the log is another one.
      const from = (first: number) => Array.from({ length: 6_001 - first }, (_, index) => first + index);
      expect(numbers('mf-legal')).toEqual(from(Math.max(1, legal)));
      expect(numbers('mf-offers')).toEqual(from(Math.max(1, offers)));
    }
  });

  test('is not used by a new server if somebody has deleted deployments: the state would be a wrong one', async () => {
    const running = await storeThree();
    await running.live.refresh();
    await database.query('DELETE FROM releases.deployment WHERE number = 1');
    await running.live.refresh();
    expect(running.snapshot().stateOf(remote).active).toBe(versionOf(3));
    const { live } = openServer();
    const lacking = 'The release registry lacks deployments of mf-legal before number 2';
    await expect(live.refresh()).rejects.toThrow(lacking);
    expect(live.problem?.message).toContain(lacking);
    await database.query('DELETE FROM releases.deployment');
    await running.live.refresh();
    expect(running.snapshot().stateOf(remote).active).toBeUndefined();
  });

  const activating = `WITH stored AS (SELECT FROM releases.release FOR KEY SHARE)
    INSERT INTO releases.deployment (remote, number, action, version, why, by)
    SELECT 'mf-legal', 1, 'activate', '${versionOf(1)}', '', '' FROM stored`;
  test.each([
    ['makes no release active that another server', 'removes', 'DELETE FROM releases.release', 0],
    ['removes no release that another server', 'makes active', activating, 1],
  ])('%s %s at the same moment', async (_what, _other, statement, left) => {
    await store(registry, 1);
    const other = new pg.Client(database.ownerUrl);
    await other.connect();
    await other.query('BEGIN');
    await other.query(statement);
    const own = left === 0 ? registry.append(activation(1, 1)) : registry.remove(remote, [versionOf(1)], 0);
    const ended = own.catch((error: unknown) => error);
    const waiting = () => database.query('SELECT FROM pg_locks WHERE NOT granted');
    await Promise.race([ended, eventually(async () => expect(await waiting()).toHaveLength(1))]);
    await other.query('COMMIT');
    await other.end();
    expect(await ended).toEqual(left === 0 ? expect.any(ConflictError) : undefined);
    const { releases, deployments } = await registry.read(nothingKnown);
    expect([releases.length, deployments.length]).toEqual([left, left]);
  });

  test('takes a release from a server while another one was paused storing it', async () => {
    const paused = new PostgresRegistry(database.shellUrl);
    const begun = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<Buffer>();
    const storing = paused.store(release(1), files, () => {
      begun.resolve();
      return resumed.promise;
    });
    await begun.promise;
    expect(await store(registry, 1)).toBe(true);
    resumed.resolve(content);
    await expect(storing).rejects.toThrow(RegistryError);
    await paused.close();
  });

  test('whose database was killed fails with the reason, and works again after a restart', async () => {
    await store(registry, 1);
    await database.kill();
    // An idle connection ends a moment later.
    await eventually(() => expect(registry.read(nothingKnown)).rejects.toThrow(RegistryError));
    await expect(store(registry, 2)).rejects.toThrow(RegistryError);
    await database.resume();
    expect((await registry.read(nothingKnown)).releases).toHaveLength(1);
  });
});
