import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Release } from '@daybook/contract/release';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openOrigin } from '../origins/open-origin.ts';
import type { PollProblem } from '../registry/release-registry.ts';
import { type ReleaseSigner, signatureValidity, signRelease } from '../signature/signature.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { newSigner } from '../test/signers.ts';
import { routeOf } from '../test/temporary-site.ts';
import { RemoteMirror } from './remote-mirror.ts';

// Whoever controls an origin offers what they like; mirror, store, log and HTTP are real.

const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const start = Date.parse('2026-11-22T12:00:00Z');
const hour = 60 * 60_000;
const [team, privacyTeam] = [newSigner(), newSigner()];
const by = { by: 'Ann' };

/** The content of an origin: its files by name. */
type Content = Record<string, string>;

/** Returns what `npm run release` publishes. */
async function published(
  version: string,
  { signer = team, signedAt = start, changes = {} as Partial<Release>, name = remote } = {},
): Promise<Content> {
  const release = wholeRelease(name, version, changes);
  const text = JSON.stringify(release);
  return {
    [release.entry]: version,
    'release.json': text,
    'release.jws': await signRelease(text, name, signer, signedAt),
  };
}

let server: Server;
let address: string;
let content: Content;
let releases: TemporaryReleases;
let now: number;
let trustedKeys: readonly string[];
let problems: PollProblem[] = [];
let warnings: string[];
let mirror: RemoteMirror;

const createMirror = (on: TemporaryReleases = releases) =>
  new RemoteMirror({
    remote,
    origin: openOrigin(address),
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

beforeEach(async () => {
  content = {};
  server = createServer((request, response) => {
    const body = content[String(request.url).slice(1)];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  server.closeAllConnections();
  server.close();
  releases.remove();
});

const signal = new AbortController().signal;
const stateOf = () => releases.copy.stateOf(remote);

async function take(offered: Content): Promise<void> {
  content = offered;
  expect([await mirror.poll(signal), problems]).toEqual([true, []]);
  await releases.copy.refresh();
}

/** Expects a running server to reject the content of the origin and to report it once, and the same after a restart. */
async function expectRejection(reason: string, message: RegExp, active = first): Promise<void> {
  for (const each of [mirror, createMirror(releases.openAgain())]) {
    for (const _poll of [1, 2]) await each.poll(signal);
    expect(problems.splice(0)).toEqual([{ reason, message: expect.stringMatching(message) }]);
  }
  await releases.active.update();
  expect(stateOf()).toMatchObject({ active });
  expect(releases.active.servedBy(remote)?.served.version).toBe(active);
}

test('a signed release is stored and activated, and so is the next one', async () => {
  await take(await published(first));
  expect(stateOf().active).toBe(first);
  now += hour;
  await take(await published(second, { signedAt: now }));
  expect(stateOf().active).toBe(second);
});

test('only the signed description counts: release.json may be missing or anything else', async () => {
  const { 'release.json': _, ...rest } = await published(first);
  await take(rest);
  await take({ ...rest, 'release.json': JSON.stringify(wholeRelease(remote, third)) });
  expect(stateOf()).toMatchObject({ active: first, revision: 1 });
});

describe('an origin in the hands of others can not replace the last good release', () => {
  beforeEach(async () => {
    await take(await published(first));
    now += hour;
  });

  test('with other content of a file', async () => {
    const next = await published(second, { signedAt: now });
    content = { ...next, [wholeRelease(remote, second).entry]: '1.0.2-0000000X' };
    await expectRejection('tampered', /does not match its SHA-384 in release\.json$/);
  });

  test('with another release.json behind the signature', async () => {
    const { 'release.jws': signed = '', ...next } = await published(second, { signedAt: now });
    const hostile = wholeRelease(remote, second, {}, 'hostile');
    content = {
      ...next,
      [hostile.entry]: 'hostile',
      'release.jws': `${signed.split('\n')[0]}\n${JSON.stringify(hostile)}`,
    };
    await expectRejection('signature', /^its release\.json was changed after it was signed$/);
  });

  test('with a release that is not signed', async () => {
    const { 'release.jws': _, ...unsigned } = await published(second);
    content = unsigned;
    await expectRejection('signature', /^it is not signed; npm run release signs it/);
    content = { ...unsigned, 'release.jws': unsigned['release.json'] ?? '' };
    await expectRejection('signature', /^release\.jws does not begin with a signature$/);
  });

  test('with a key of another team', async () => {
    content = await published(second, { signer: privacyTeam, signedAt: now });
    await expectRejection('signature', new RegExp(`not one of mf-legal's: ${privacyTeam.publicKey}; `));
  });

  test('with a release of another team, which is signed by it', async () => {
    content = await published(second, { signer: privacyTeam, signedAt: now, name: 'mf-privacy' });
    await expectRejection('signature', /not one of mf-legal's/);
    // Even if one team has both remotes, and one key.
    content = await published(second, { signedAt: now, name: 'mf-privacy' });
    await expectRejection('signature', /^its signature is for mf-privacy$/);
  });

  test('with a signed path of another team', async () => {
    await releases.add('mf-privacy', first);
    await releases.activate('mf-privacy', first, by);
    content = await published(second, { signedAt: now, changes: { routes: [routeOf('/mf-privacy')] } });
    await expectRejection('collision', /^its route \/mf-privacy belongs to mf-privacy@1\.0\.1-00000001$/);
  });

  test('with a signature that has expired', async () => {
    content = await published(second, { signedAt: now });
    now += signatureValidity;
    await expectRejection('signature', /^its signature expired on 2027-12-27; release it again$/);
  });

  test('with a replayed release of the past, although its signature is valid', async () => {
    const [past, next] = [content, await published(second, { signedAt: now })];
    await take(next);
    content = past;
    await expectRejection(
      'signature',
      /^its signature of 2026-11-22T12:00:00\.000Z is older than that of 1\.0\.2-00000002 of 2026-11-22T13:00:00\.000Z/,
      second,
    );
    await take(next);
  });

  test('with a release of the past that this server has never seen', async () => {
    await take(await published(third, { signedAt: now }));
    content = await published(second, { signedAt: start + 1_000 });
    await expectRejection('signature', /is older than that of 1\.0\.3-00000003/, third);
  });

  test('with a second release of the same second', async () => {
    content = await published(second);
    await expectRejection('signature', /^its signature is of the same second as that of 1\.0\.1-00000001; release it/);
  });
});

describe('the way back', () => {
  beforeEach(async () => {
    await take(await published(first));
    now += hour;
    await take(await published(second, { signedAt: now }));
    now += hour;
  });

  test('of a team is to sign the former release again', async () => {
    await take(await published(first, { signedAt: now }));
    expect(stateOf()).toMatchObject({ active: first, revision: 3 });
  });

  test('of an operator is a rollback, which needs no signature and holds', async () => {
    await releases.rollback(remote, by);
    await take(content);
    expect(stateOf().active).toBe(first);
    // The expired or replaced content of the origin changes nothing.
    now += signatureValidity;
    await expectRejection('signature', /expired/);
    await releases.pin(remote, second, by);
    expect(stateOf().active).toBe(second);
  });

  test('is not to replay the former release after a rollback', async () => {
    await releases.rollback(remote, by);
    content = await published(first);
    await expectRejection('signature', /is older than that of 1\.0\.2-00000002/);
  });
});

describe('a rotation', () => {
  const next: ReleaseSigner = newSigner();

  test('overlaps: both keys are accepted, then only the new one', async () => {
    await take(await published(first));
    trustedKeys = [team.publicKey, next.publicKey];
    mirror = createMirror();
    await take(content);
    now += hour;
    await take(await published(second, { signer: next, signedAt: now }));
    trustedKeys = [next.publicKey];
    mirror = createMirror();
    await take(content);
    now += hour;
    content = await published(third, { signedAt: now });
    await expectRejection('signature', /not one of mf-legal's/, second);
  });

  test('that removes the key of the active release does not remove the release', async () => {
    await take(await published(first));
    trustedKeys = [next.publicKey];
    mirror = createMirror();
    await expectRejection('signature', /not one of mf-legal's/);
  });
});

describe('the memory of signatures', () => {
  test('is written before a release is activated, and only for a release that is complete', async () => {
    content = { ...(await published(first)), [wholeRelease(remote, first).entry]: 'tampered' };
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
    await take(await published(third, { signedAt: now }));
    content = await published(second, { signedAt: now - 1_000 });
    await expectRejection('signature', /is older than that of 1\.0\.3-00000003/);
  });

  test('is shared by all servers: none activates an older release that it has just read', async () => {
    await take(await published(first));
    now += hour;
    const other = createMirror(releases.openAgain());
    const newer = await published(third, { signedAt: now });
    // The other server takes the newer release while this one fetches the older.
    const { add } = releases.cache;
    releases.cache.add = async (...parameters) => {
      await add.apply(releases.cache, parameters);
      content = newer;
      expect(await other.poll(signal)).toBe(true);
    };
    content = await published(second, { signedAt: now - 1_000 });
    await mirror.poll(signal);
    expect(problems).toEqual([{ reason: 'signature', message: expect.stringMatching(/is older than/) }]);
    await releases.copy.refresh();
    expect(stateOf().active).toBe(third);
  });
});

test('a signature that expires within a month is reported once', async () => {
  await take(await published(first));
  now = start + signatureValidity - 30 * 24 * hour;
  await take(content);
  await take(content);
  expect(warnings).toEqual([`the signature of ${first} expires on 2027-12-27; release it again before`]);
  await take(await published(first, { signedAt: now }));
  expect(warnings).toHaveLength(1);
});
