import { OriginServer } from '@daybook/testing/origin-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openOrigin } from '../origins/open-origin.ts';
import type { PollProblem } from '../registry/release-registry.ts';
import { type ReleaseSigner, signatureValidity, signRelease } from '../signature/signature.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { newSigner } from '../test/signers.ts';
import { RemoteMirror } from './remote-mirror.ts';

// Mirror, store, log and HTTP are real. What whoever controls an origin may offer is in packages/testing/src/faults.ts.

const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const start = Date.parse('2026-11-22T12:00:00Z');
const hour = 60 * 60_000;
const [team, next] = [newSigner(), newSigner()];
const by = { by: 'Ann' };

/** The content of an origin: its files by name. */
type Content = Record<string, string>;

/** Returns what `npm run release` publishes. */
async function published(version: string, signedAt = start, signer: ReleaseSigner = team): Promise<Content> {
  const release = wholeRelease(remote, version);
  const text = JSON.stringify(release);
  const signed = await signRelease(text, remote, signer, signedAt);
  return { [release.entry]: version, 'release.json': text, 'release.jws': signed };
}

const server = new OriginServer();
let releases: TemporaryReleases;
let now: number;
let trustedKeys: readonly string[];
let problems: PollProblem[] = [];
let warnings: string[];
let mirror: RemoteMirror;

const createMirror = (on: TemporaryReleases = releases) =>
  new RemoteMirror({
    remote,
    origin: openOrigin(server.address),
    registry: on.registry,
    copy: on.copy,
    management: on,
    cache: on.cache,
    retained: 3,
    fetchAgainAfter: 0,
    trustedKeys,
    onProblem: (problem) => problems.push(problem),
    onExpiring: (message) => warnings.push(message),
  });

beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  releases = createTemporaryReleases();
  now = start;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  trustedKeys = [team.publicKey];
  problems = [];
  warnings = [];
  mirror = createMirror();
});
afterEach(() => {
  jest.restoreAllMocks();
  releases.remove();
});

const serve = (content: Content) => {
  server.served = new Map(Object.entries(content));
};
const signal = new AbortController().signal;
const stateOf = () => releases.copy.stateOf(remote);

/** Takes what the origin has now, or this. */
async function take(offered?: Content): Promise<void> {
  if (offered) serve(offered);
  expect([await mirror.poll(signal), problems]).toEqual([true, []]);
  await releases.copy.refresh();
}

/** Expects a running server to reject the content of the origin and to report it once, and the same after a restart. */
async function expectRejection(message: RegExp, active = first): Promise<void> {
  for (const each of [mirror, createMirror(releases.openAgain())]) {
    for (const _poll of [1, 2]) await each.poll(signal);
    expect(problems.splice(0)).toEqual([{ reason: 'signature', message: expect.stringMatching(message) }]);
  }
  await releases.active.update();
  expect(stateOf()).toMatchObject({ active });
  expect(releases.active.servedBy(remote)?.served.version).toBe(active);
}

test('a signed release is stored and activated, and so is the next one', async () => {
  await take(await published(first));
  expect(stateOf().active).toBe(first);
  now += hour;
  await take(await published(second, now));
  expect(stateOf().active).toBe(second);
});

test('only the signed description counts: release.json may be missing or anything else', async () => {
  const { 'release.json': _, ...rest } = await published(first);
  await take(rest);
  await take({ ...rest, 'release.json': JSON.stringify(wholeRelease(remote, third)) });
  expect(stateOf()).toMatchObject({ active: first, revision: 1 });
});

test('a release of the past is rejected, also by a restarted server and by one that has never seen it', async () => {
  const past = await published(first);
  await take(past);
  now += hour;
  const newer = await published(third, now);
  await take(newer);
  for (const rejected of [past, await published(second, start + 1_000)]) {
    serve(rejected);
    await expectRejection(
      /^its signature of 2026-11-22T12:00:0\d.000Z is older than that of 1\.0\.3-00000003 of 2026-11-22T13:00:00\.000Z, which was seen before/,
      third,
    );
    await take(newer);
  }
});

describe('the way back', () => {
  beforeEach(async () => {
    await take(await published(first));
    now += hour;
    await take(await published(second, now));
    now += hour;
  });

  test('of a team is to sign the former release again', async () => {
    await take(await published(first, now));
    expect(stateOf()).toMatchObject({ active: first, revision: 3 });
  });

  test('of an operator is a rollback, which needs no signature and holds', async () => {
    await releases.rollback(remote, by);
    await take();
    expect(stateOf().active).toBe(first);
    // The expired or replaced content of the origin changes nothing.
    now += signatureValidity;
    await expectRejection(/expired/);
    await releases.pin(remote, second, by);
    expect(stateOf().active).toBe(second);
  });

  test('is not to replay the former release after a rollback', async () => {
    await releases.rollback(remote, by);
    serve(await published(first));
    await expectRejection(/is older than that of 1\.0\.2-00000002/);
  });
});

describe('a rotation', () => {
  test('overlaps: both keys are accepted, then only the new one', async () => {
    await take(await published(first));
    trustedKeys = [team.publicKey, next.publicKey];
    mirror = createMirror();
    await take();
    now += hour;
    await take(await published(second, now, next));
    trustedKeys = [next.publicKey];
    mirror = createMirror();
    await take();
    now += hour;
    serve(await published(third, now));
    await expectRejection(/not one of mf-legal's/, second);
  });

  test('that removes the key of the active release does not remove the release', async () => {
    await take(await published(first));
    trustedKeys = [next.publicKey];
    mirror = createMirror();
    await expectRejection(/not one of mf-legal's/);
  });
});

describe('the memory of signatures', () => {
  test('is written before a release is activated, and only for a release that is complete', async () => {
    serve({ ...(await published(first)), [wholeRelease(remote, first).entry]: 'tampered' });
    await mirror.poll(signal);
    expect(releases.copy.signatureOf(remote)).toBeUndefined();
    const append = releases.registry.append.bind(releases.registry);
    const seen: unknown[] = [];
    releases.registry.append = async (change) => {
      seen.push((await releases.registry.read(new Map())).signatures[remote]);
      return append(change);
    };
    problems = [];
    await take(await published(first));
    expect(seen).toEqual([expect.objectContaining({ version: first, key: team.publicKey, signedAt: start })]);
  });

  test('counts releases that wait for an operator, too', async () => {
    await take(await published(first));
    await releases.pin(remote, first, by);
    now += hour;
    await take(await published(third, now));
    serve(await published(second, now - 1_000));
    await expectRejection(/is older than that of 1\.0\.3-00000003/);
  });

  test('is shared by all servers: none activates an older release that it has just read', async () => {
    await take(await published(first));
    now += hour;
    const other = createMirror(releases.openAgain());
    const newer = await published(third, now);
    // The other server takes the newer release while this one fetches the older.
    const { add } = releases.cache;
    releases.cache.add = async (...parameters) => {
      await add.apply(releases.cache, parameters);
      serve(newer);
      expect(await other.poll(signal)).toBe(true);
    };
    serve(await published(second, now - 1_000));
    await mirror.poll(signal);
    expect(problems).toEqual([{ reason: 'signature', message: expect.stringMatching(/is older than/) }]);
    await releases.copy.refresh();
    expect(stateOf().active).toBe(third);
  });
});

test('a signature that expires within a month is reported once', async () => {
  await take(await published(first));
  now = start + signatureValidity - 30 * 24 * hour;
  await take();
  await take();
  expect(warnings).toEqual([`the signature of ${first} expires on 2027-12-27; release it again before`]);
  await take(await published(first, now));
  expect(warnings).toHaveLength(1);
});
