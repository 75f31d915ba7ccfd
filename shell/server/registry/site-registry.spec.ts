import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/runner/releases-database';
import { describeReplicas } from '@daybook/testing/registry-replicas';
import { versionOf } from '@daybook/testing/releases';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MemorySiteRegistry } from '../test/memory-site-registry.ts';
import { PostgresSiteRegistry } from './postgres-site-registry.ts';
import { maxSessions, type SiteRegistry } from './site-registry.ts';

let database: ReleasesDatabase;
beforeAll(async () => {
  database = await startReleasesDatabase();
});
afterAll(() => database.stop());

const remote = 'mf-legal';

const kinds = {
  inMemory: () => new MemorySiteRegistry(),
  inPostgres: ({ shellUrl }: ReleasesDatabase) => new PostgresSiteRegistry(shellUrl),
  database: () => database,
};

describeReplicas<SiteRegistry>('the records of a site %s', kinds, (replicas) => {
  let one: SiteRegistry;
  let other: SiteRegistry;
  beforeEach(() => {
    [one, other] = replicas();
  });

  test('shares sessions until they expire or end, or there are too many newer ones of the same token', async () => {
    const minute = Date.now() + 60_000;
    await one.writeSession('a', 'Ada', { operator: 'Ada' }, new Date(minute));
    await one.writeSession('b', 'Bob', { operator: 'Bob' }, new Date(Date.now() - 1));
    expect([await other.readSession('a'), await other.readSession('b')]).toEqual([{ operator: 'Ada' }, undefined]);
    await other.removeSession('a');
    expect(await one.readSession('a')).toBeUndefined();
    await one.writeSession('bob', 'Bob', {}, new Date(minute));
    for (let number = 0; number <= maxSessions; number += 1)
      await one.writeSession(String(number), '', {}, new Date(minute + number));
    const found = ['0', '1', String(maxSessions), 'bob'].map((id) => other.readSession(id));
    expect(await Promise.all(found)).toEqual([undefined, {}, {}, {}]);
  });

  test('records who signed in and out, in order', async () => {
    await one.recordSignIn({ operator: 'Ada', action: 'sign-in', network: '192.0.2.1' });
    await other.recordSignIn({ operator: 'Ada', action: 'sign-out', network: '2001:db8::/64' });
    expect((await one.signIns()).map(({ operator, action, network }) => [operator, action, network])).toEqual([
      ['Ada', 'sign-in', '192.0.2.1'],
      ['Ada', 'sign-out', '2001:db8::/64'],
    ]);
  });

  test('sums the counts of all replicas, and forgets old ones', async () => {
    const counted = (at: number, views: number, failures: number, number = 1) => ({
      remote,
      version: versionOf(number),
      at,
      views,
      failures,
    });
    await Promise.all([
      one.addCounts([counted(300_000, 2, 1), counted(300_000, 5, 0, 2)], 0),
      other.addCounts([counted(300_000, 3, 0), counted(600_000, 1, 0)], 0),
    ]);
    const byTime = (all: readonly { at: number; version: string }[]) =>
      all.toSorted((a, b) => a.at - b.at || a.version.localeCompare(b.version));
    expect(byTime(await one.counts(remote, 0))).toEqual([
      counted(300_000, 5, 1),
      counted(300_000, 5, 0, 2),
      counted(600_000, 1, 0),
    ]);
    await one.addCounts([counted(600_000, 1, 0)], 600_000);
    expect(await one.counts(remote, 0)).toEqual([counted(600_000, 2, 0)]);
    expect(await one.counts(remote, 600_001)).toEqual([]);
  });

  test('have the uploads of each remote with their age, for all replicas, as long as they count', async () => {
    await one.addUpload(remote, 7, 3_600_000);
    await other.addUpload(remote, 60_000_000, 3_600_000);
    await other.addUpload('mf-privacy', 1, 3_600_000);
    const uploads = await one.uploads(remote);
    expect(uploads.map(({ bytes }) => bytes)).toEqual([7, 60_000_000]);
    for (const { age } of uploads) expect(age).toBeLessThan(300_000);
    expect(uploads[0]?.age).toBeGreaterThanOrEqual(uploads[1]?.age ?? Number.NaN);
    await one.addUpload('mf-privacy', 2, -1);
    expect([await other.uploads(remote), (await other.uploads('mf-privacy')).length]).toEqual([[], 1]);
  });
});
