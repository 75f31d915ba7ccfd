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
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const empty: SiteContent = { rows: [], releases: [] };

/** The database: what it has, and the files that can't be fetched now. */
let content = empty;
let files = new Map<string, Buffer>();
let held = new Map<string, PromiseWithResolvers<void>>();
let isDown = false;
const read = jest.fn(async () => {
  if (isDown) throw new Error('The database is down.');
  return content;
});

let folder: string;
const report = jest.fn<(problem: string) => void>();
const onRecovery = jest.fn<(message: string) => void>();
const started = new Set<LiveSite>();
beforeEach(() => {
  folder = makeTemporaryFolder();
  [content, files, held, isDown] = [empty, new Map(), new Map(), false];
  for (const mock of [read, report, onRecovery]) mock.mockClear();
});
afterEach(async () => {
  for (const { resolve } of held.values()) resolve();
  for (const live of started) await live.stop();
  started.clear();
  rmSync(folder, { recursive: true, force: true });
});

/** The files of a release are in the database. */
function stored(number: number, remote = 'mf-legal', changes: Partial<Release> = {}): Release {
  const release = numbered(number, remote, changes);
  const sent = sentOf(release);
  const whole: Release = JSON.parse(sent.manifest);
  for (const [name, { integrity }] of Object.entries(whole.files))
    files.set(hashOf(integrity), Buffer.from(sent.files[name] ?? ''));
  return whole;
}

/** Fetching the file of a release takes until the returned function is called. */
function hold({ files: own }: Release) {
  const waiting = Promise.withResolvers<void>();
  for (const { integrity } of Object.values(own)) held.set(hashOf(integrity), waiting);
  return waiting.resolve;
}

function open(): LiveSite {
  const fetch = async (hash: string) => {
    await held.get(hash)?.promise;
    if (isDown) throw new Error('The database is down.');
    return files.get(hash);
  };
  const blobs = new Blobs({ folder: path.join(folder, 'cache'), fetch, inPlace: () => undefined, report });
  const live = new LiveSite({ store: { read }, blobs, folder, remotes: () => names, report, onRecovery });
  started.add(live);
  return live;
}

async function start(): Promise<LiveSite> {
  const live = open();
  await live.start();
  return live;
}

const versionsOf = ({ site }: LiveSite) => names.map((name) => site.remote(name)?.state?.active);

test('a new release of a remote is served while the files of another one never arrive', async () => {
  const [legal, signup] = [stored(1), stored(1, 'mf-signup')];
  content = contentOf(legal, signup);
  const live = await start();
  const [next, other] = [stored(2), stored(2, 'mf-signup')];
  hold(next);
  content = contentOf(legal, signup, next, other);
  await live.refresh(['mf-signup']);
  expect(versionsOf(live)).toEqual([first, second]);
  expect(live.latest.remote('mf-legal')?.state?.active).toBe(second);
});

test('releases of one activation are served at the same moment, so that a page moves without a 404', async () => {
  const [legal, signup] = [
    stored(1, 'mf-legal', { routes: [routeOf('/terms'), routeOf('/faq')] }),
    stored(1, 'mf-signup'),
  ];
  content = contentOf(legal, signup);
  const live = await start();
  const [without, taking] = [stored(2), stored(2, 'mf-signup', { routes: [routeOf('/'), routeOf('/faq')] })];
  const arrive = hold(taking);
  const { rows, releases } = contentOf(legal, signup, without, taking);
  content = {
    releases,
    rows: rows.map((row) => (row.number === 2 ? { ...row, at: '2026-01-01T00:00:00.000Z' } : row)),
  };
  await live.read();
  expect(versionsOf(live)).toEqual([first, first]);
  arrive();
  await live.refresh();
  expect(versionsOf(live)).toEqual([second, second]);
});

test('a release that was rolled back while its files were fetched is never served', async () => {
  const [one, two] = [stored(1), stored(2)];
  content = contentOf(one);
  const live = await start();
  const arrive = hold(two);
  content = contentOf(one, two);
  await live.read();
  content = { ...content, rows: [...content.rows, rowOf(3, first, { action: 'rollback' })] };
  await live.refresh(['mf-legal']);
  arrive();
  const [{ integrity } = { integrity: '' }] = Object.values(two.files);
  await eventually(() => expect(readdirSync(path.join(folder, 'cache'))).toContain(hashOf(integrity)));
  for (let times = 0; times < 3; times += 1) {
    expect(live.site.remote('mf-legal')?.state?.number).toBe(3);
    await live.refresh();
  }
});

test('a change during the fetch of a former one is served as soon as its own files are here', async () => {
  const [one, two, three] = [stored(1), stored(2), stored(3)];
  content = contentOf(one);
  const live = await start();
  hold(two);
  content = contentOf(one, two);
  await live.read();
  content = contentOf(one, two, three);
  await live.refresh(['mf-legal']);
  expect(versionsOf(live)).toEqual([third, undefined]);
});

test('a remote whose first release misses a file is served nevertheless', async () => {
  const legal = stored(1);
  files.clear();
  content = contentOf(legal);
  const live = await start();
  expect(versionsOf(live)).toEqual([first, undefined]);
  expect(report).toHaveBeenCalledWith(expect.stringMatching(/^Files of mf-legal can't be fetched: .*is not stored/));
});

test('a release whose file is missing replaces no other one, and is reported once', async () => {
  const [one, two] = [stored(1), stored(2)];
  content = contentOf(one);
  const live = await start();
  const [missing] = [...files.keys()].slice(-1);
  const file = files.get(`${missing}`);
  files.delete(`${missing}`);
  content = contentOf(one, two);
  for (let times = 0; times < 3; times += 1) await live.refresh();
  expect([versionsOf(live)[0], report.mock.calls.length]).toEqual([first, 1]);
  files.set(`${missing}`, file as Buffer);
  await live.refresh();
  expect(versionsOf(live)[0]).toBe(second);
});

test('a server without its database serves what it last read, also after a restart', async () => {
  content = contentOf(stored(1), stored(1, 'mf-signup'));
  await start();
  isDown = true;
  const restarted = await start();
  expect([versionsOf(restarted), restarted.hasRead]).toEqual([[first, first], false]);
  expect(restarted.problem).toMatchObject({ message: 'The database is down.', since: expect.any(String) });
});

test.each(['', '{', '{}', 'null', '{"rows":[{}],"releases":[]}', '{"rows":7,"releases":7}'])(
  'a damaged site.json is ignored: %s',
  async (text) => {
    content = contentOf(stored(1));
    writeFileSync(path.join(folder, 'site.json'), text);
    expect(versionsOf(await start())).toEqual([first, undefined]);
    expect(JSON.parse(readFileSync(path.join(folder, 'site.json'), 'utf8'))).toEqual(content);
  },
);

test('a problem of the database is reported once, and so is its end', async () => {
  const live = await start();
  isDown = true;
  for (let times = 0; times < 3; times += 1) await live.read().catch(() => undefined);
  isDown = false;
  await live.read();
  await live.read();
  expect(report.mock.calls).toEqual([['The database is down.']]);
  expect(onRecovery).toHaveBeenCalledTimes(1);
  expect(live.problem).toBeUndefined();
});

test('a read has what was in the database at the time of the call', async () => {
  const live = await start();
  const slow = Promise.withResolvers<SiteContent>();
  read.mockReturnValueOnce(slow.promise);
  const former = live.read();
  await eventually(() => expect(read.mock.results.length).toBeGreaterThan(1));
  content = contentOf(stored(1));
  const later = live.read();
  slow.resolve(empty);
  await Promise.all([former, later]);
  expect(live.latest.remote('mf-legal')?.state?.active).toBe(first);
});

test('many requests for unknown files read the database a few times a second, after their own start', async () => {
  const live = await start();
  await live.catchUp();
  read.mockClear();
  content = contentOf(stored(1));
  await Promise.all(Array.from({ length: 1_000 }, () => live.catchUp()));
  // One of them may be that of the poll.
  expect(read.mock.calls.length).toBeLessThanOrEqual(2);
  expect(live.latest.remote('mf-legal')?.state?.active).toBe(first);
});
