import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '@daybook/contract/manifest';
import type { Release } from '@daybook/contract/release';
import { eventually } from '@daybook/testing/eventually';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { contentOf, rowOf } from '../test/content.ts';
import { numbered, sentOf } from '../test/running-site.ts';
import { Blobs } from './blobs.ts';
import { LiveSite } from './live-site.ts';
import type { SiteContent } from './site.ts';

const names = ['mf-legal', 'mf-signup'];
const [first, second] = [versionOf(1), versionOf(2)];
const nothing: SiteContent = { rows: [], releases: [] };

/** The database: what it has, and files whose fetch waits. */
let content = nothing;
let files = new Map<string, Buffer>();
let waiting = new Map<string, PromiseWithResolvers<void>>();
const read = jest.fn(async () => content);
const fetch = async (hash: string) => {
  await waiting.get(hash)?.promise;
  return files.get(hash);
};

let folder: string;
const report = jest.fn<(problem: string) => void>();
const onRecovery = jest.fn<(message: string) => void>();
const started = new Set<LiveSite>();
beforeEach(() => {
  folder = makeTemporaryFolder();
  [content, files, waiting] = [nothing, new Map(), new Map()];
  for (const mock of [read, report, onRecovery]) mock.mockClear();
});
afterEach(async () => {
  for (const { resolve } of waiting.values()) resolve();
  for (const live of started) await live.stop();
  started.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** A release whose only file is in the database. */
function stored(number: number, remote = 'mf-legal', changes: Partial<Release> = {}): Release {
  const sent = sentOf(numbered(number, remote, changes));
  const release: Release = JSON.parse(sent.manifest);
  files.set(hashIn(release), Buffer.from(sent.files[release.entry] ?? ''));
  return release;
}
const hashIn = ({ files: own, entry }: Release) => hashOf(own[entry]?.integrity ?? '');

/** Fetching the file of a release takes until the returned function is called. */
function hold(release: Release) {
  const arrival = Promise.withResolvers<void>();
  waiting.set(hashIn(release), arrival);
  return arrival.resolve;
}

const arrived = (release: Release) =>
  eventually(() => expect(readdirSync(path.join(folder, 'cache'))).toContain(hashIn(release)));

async function start(): Promise<LiveSite> {
  const blobs = new Blobs({ folder: path.join(folder, 'cache'), fetch, inPlace: () => undefined, report });
  const live = new LiveSite({ store: { read }, blobs, folder, remotes: () => names, report, onRecovery });
  started.add(live);
  await live.start();
  return live;
}
const versionsOf = ({ site }: LiveSite) => names.map((name) => site.remote(name)?.state?.active);

test('a new release of a remote is served while the files of another one never arrive', async () => {
  const former = [stored(1), stored(1, 'mf-signup')];
  content = contentOf(...former);
  const live = await start();
  const next = stored(2);
  hold(next);
  content = contentOf(...former, next, stored(2, 'mf-signup'));
  await live.refresh(['mf-signup']);
  expect([versionsOf(live), live.latest.remote('mf-legal')?.state?.active]).toEqual([[first, second], second]);
});

test('releases of one activation are served at the same moment', async () => {
  const former = [stored(1), stored(1, 'mf-signup')];
  content = contentOf(...former);
  const live = await start();
  const taking = stored(2, 'mf-signup', { routes: [routeOf('/'), routeOf('/terms')] });
  const arrive = hold(taking);
  const without = stored(2, 'mf-legal', { routes: [routeOf('/rules')] });
  const { rows, releases } = contentOf(...former, without, taking);
  const at = '2026-01-01T00:00:00.000Z';
  content = { releases, rows: rows.map((row) => (row.number === 2 ? { ...row, at } : row)) };
  await live.read();
  await arrived(without);
  await live.read();
  expect(versionsOf(live)).toEqual([first, first]);
  arrive();
  await live.refresh();
  expect(versionsOf(live)).toEqual([second, second]);
});

test('a release that was rolled back while its file was fetched is never served', async () => {
  const [one, two] = [stored(1), stored(2)];
  content = contentOf(one);
  const live = await start();
  const arrive = hold(two);
  content = contentOf(one, two);
  await live.read();
  content = { ...content, rows: [...content.rows, rowOf(3, first, { action: 'rollback' })] };
  await live.refresh(['mf-legal']);
  arrive();
  await arrived(two);
  for (let times = 0; times < 3; times += 1) {
    expect(live.site.remote('mf-legal')?.state?.number).toBe(3);
    await live.refresh();
  }
});

test.each(['{', '{"rows":[{}],"releases":[]}'])('a damaged site.json is ignored: %s', async (text) => {
  content = contentOf(stored(1));
  writeFileSync(path.join(folder, 'site.json'), text);
  expect(versionsOf(await start())).toEqual([first, undefined]);
  expect(JSON.parse(readFileSync(path.join(folder, 'site.json'), 'utf8'))).toEqual(content);
});

test('a problem of the database is reported once, and so is its end', async () => {
  const live = await start();
  read.mockRejectedValue(new Error('The database is down.'));
  for (let times = 0; times < 3; times += 1) await live.read().catch(() => undefined);
  read.mockImplementation(async () => content);
  for (let times = 0; times < 3; times += 1) await live.read();
  expect([report.mock.calls, onRecovery.mock.calls.length]).toEqual([[['The database is down.']], 1]);
});

test('a read has what was in the database at the time of the call', async () => {
  const live = await start();
  const slow = Promise.withResolvers<SiteContent>();
  read.mockReturnValueOnce(slow.promise);
  const before = read.mock.calls.length;
  const former = live.read();
  await eventually(() => expect(read.mock.calls.length).toBeGreaterThan(before));
  content = contentOf(stored(1));
  const later = live.read();
  slow.resolve(nothing);
  await Promise.all([former, later]);
  expect(live.latest.remote('mf-legal')?.state?.active).toBe(first);
});

test('requests for unknown files share a read, which begins after their own start', async () => {
  const live = await start();
  await live.catchUp();
  const before = read.mock.calls.length;
  content = contentOf(stored(1));
  await Promise.all(Array.from({ length: 1_000 }, () => live.catchUp()));
  expect(live.latest.remote('mf-legal')?.state?.active).toBe(first);
  // One of them may be that of the poll.
  expect(read.mock.calls.length - before).toBeLessThanOrEqual(2);
});
