import { OriginServer } from '@daybook/testing/origin-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openOrigin } from '../origins/open-origin.ts';
import { hashOfToken, newPreviewToken, type ReleaseSigner, signPreview, signRelease } from '../signature/signature.ts';
import { runningPreview } from '../state/remote-state.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { routeOf } from '../test/releases.ts';
import { newSigner } from '../test/signers.ts';
import { RemoteMirror } from './remote-mirror.ts';

// Mirror, store, log and HTTP are real. What whoever controls an origin may offer is in packages/testing/src/faults.ts.

const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const start = Date.parse('2026-11-22T12:00:00Z');
const hour = 60 * 60_000;
const day = 24 * hour;
const [team, next] = [newSigner(), newSigner()];
const by = { by: 'Ann' };
const signal = new AbortController().signal;

/** The content of an origin: its files by name. */
type Content = Record<string, string>;

const server = new OriginServer();
let content: Content;
let releases: TemporaryReleases;
let now: number;
let problems: TemporaryReleases['pollProblems'];
let warnings: string[];
let mirror: RemoteMirror;

function createMirror(on = releases, trustedKeys = [team.publicKey]): RemoteMirror {
  const onExpiring = (message: string) => warnings.push(message);
  return new RemoteMirror(on.mirrorOptions(openOrigin(server.address), { trustedKeys, onExpiring }));
}
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  [now, warnings] = [start, []];
  serve({});
  releases = createTemporaryReleases();
  problems = releases.pollProblems;
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  mirror = createMirror();
});
afterEach(() => {
  jest.restoreAllMocks();
  releases.remove();
});

const stateOf = () => releases.copy.stateOf(remote);

function serve(offered: Content): void {
  content = offered;
  server.served = new Map(Object.entries(content));
}
/** Serves this beside what the origin has. */
const serveMore = (more: Content) => serve({ ...content, ...more });

/** Returns what `npm run release` publishes. */
async function published(version: string, signedAt = now, signer: ReleaseSigner = team): Promise<Content> {
  const release = wholeRelease(remote, version);
  const text = JSON.stringify(release);
  const signed = await signRelease(text, remote, signer, signedAt);
  return { [release.entry]: version, 'release.json': text, 'release.jws': signed };
}

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
  expect(releases.active.servedBy(remote)?.served.version).toBe(active);
}

describe('a signed release', () => {
  test('is what counts: release.json may be missing or anything else', async () => {
    const { 'release.json': _, ...rest } = await published(first);
    await take(rest);
    await take({ ...rest, 'release.json': JSON.stringify(wholeRelease(remote, third)) });
    expect(stateOf()).toMatchObject({ active: first, number: 1 });
  });

  test('of the past changes nothing, even if its team signs it again; an operator needs no signature', async () => {
    const past = await published(first);
    await take(past);
    now += hour;
    await take(await published(second));
    await releases.rollback(remote, by);
    await take();
    expect(stateOf().active).toBe(first);
    serve(past);
    await expectRejection(
      /^its signature of 2026-11-22T12:00:00.000Z is older than that of 1\.0\.2-00000002 of 2026-11-22T13:00:00\.000Z, which was seen before/,
    );
    // The expired content of the origin changes nothing.
    now += 400 * day;
    await expectRejection(/expired/);
    await releases.activate(remote, second, by);
    await take(await published(third));
    now += hour;
    await take(await published(second));
    expect(stateOf().active).toBe(third);
  });

  test('may have either key during a rotation, then only the new one, while the active release stays', async () => {
    await take(await published(first));
    mirror = createMirror(releases, [team.publicKey, next.publicKey]);
    await take();
    now += hour;
    mirror = createMirror(releases, [next.publicKey]);
    await mirror.poll(signal);
    expect(problems.splice(0)).toEqual([
      { reason: 'signature', message: expect.stringMatching(/not one of mf-legal's/) },
    ]);
    expect(stateOf().active).toBe(first);
    await take(await published(second, now, next));
    now += hour;
    serve(await published(third));
    await mirror.poll(signal);
    expect(problems).toEqual([{ reason: 'signature', message: expect.stringMatching(/not one of mf-legal's/) }]);
    expect(stateOf().active).toBe(second);
  });

  test('is remembered before it is activated, and only if it is complete', async () => {
    serve({ ...(await published(first)), [wholeRelease(remote, first).entry]: 'tampered' });
    await mirror.poll(signal);
    expect([problems.splice(0).length, releases.copy.signatureOf(remote)]).toEqual([1, undefined]);
    const append = releases.registry.append.bind(releases.registry);
    const seen: unknown[] = [];
    releases.registry.append = async (deployment) => {
      seen.push((await releases.registry.read(new Map())).signatures[remote]);
      return append(deployment);
    };
    mirror = createMirror();
    await take(await published(first));
    expect(seen).toEqual([expect.objectContaining({ version: first, key: team.publicKey, signedAt: start })]);
  });

  test('is remembered if its remote is held, too', async () => {
    await take(await published(first));
    await releases.hold(remote, by);
    now += hour;
    await take(await published(third));
    serve(await published(second, now - 1_000));
    await expectRejection(/is older than that of 1\.0\.3-00000003/);
  });

  test('is not activated by a server while another one takes a newer one', async () => {
    await take(await published(first));
    now += hour;
    const other = createMirror(releases.openAgain());
    const newer = await published(third);
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

  test('whose signature expires within a month is reported once', async () => {
    await take(await published(first));
    now = start + 370 * day;
    await take();
    await take();
    expect(warnings).toEqual([`the signature of ${first} expires on 2027-12-27; release it again before`]);
    await take(await published(first));
    expect(warnings).toHaveLength(1);
  });
});

describe('a preview', () => {
  /** Offers another release. */
  async function publish(version: string): Promise<void> {
    now += hour;
    serveMore(await published(version));
  }
  /** Offers a preview beside the release; returns its token. */
  async function publishPreview(version: string, release = wholeRelease(remote, version), signer = team) {
    const token = newPreviewToken();
    now += hour;
    const signed = await signPreview(JSON.stringify(release), remote, hashOfToken(token), signer, now);
    serveMore({ [release.entry]: version, 'preview.jws': signed });
    return token;
  }
  async function poll(): Promise<void> {
    await mirror.poll(signal);
    await mirror.pollPreview(signal);
    await releases.active.update();
  }
  const shown = async (token: string) => (await releases.active.findPreview(token))?.version;

  beforeEach(() => publish(first).then(poll));

  test('is normally missing, which is no problem', async () => {
    expect([await mirror.pollPreview(signal), server.requested.at(-1), problems]).toEqual([true, 'preview.jws', []]);
  });

  test('is shown to whoever has its token and nobody else, and is not activated, even if it is released later', async () => {
    const token = await publishPreview(second);
    await poll();
    const found = await releases.active.findPreview(token);
    expect(found).toMatchObject({ remote, version: second, endsAt: now + 7 * day });
    expect(found?.registry).toMatchObject({ remotes: [{ version: second }], preview: `${remote}@${second}` });
    expect(releases.active.registry().remotes).toMatchObject([{ version: first }]);
    const hash = stateOf().preview?.tokenHash ?? '';
    for (const other of [newPreviewToken(), '', hash, 'x'.repeat(100_000), '../', '%00'])
      expect(await shown(other)).toBeUndefined();
    await publish(second);
    await poll();
    expect(stateOf().active).toBe(first);
    expect(problems).toEqual([]);
  });

  test('runs on, however many newer releases its origin has, which it does not delay', async () => {
    const token = await publishPreview(second);
    await poll();
    for (const version of [3, 4, 5, 6].map(versionOf)) {
      await publish(version);
      await poll();
      expect([stateOf().active, await shown(token)]).toEqual([version, second]);
      expect(releases.copy.find(remote, second)).toBeDefined();
    }
  });

  test.each<[string, () => unknown]>([
    [
      'its time is over',
      () => {
        now += 7 * day;
      },
    ],
    ['an operator ends it', () => releases.end(remote, by)],
    ['a rollback', () => releases.rollback(remote, by)],
  ])('does not begin again after %s, also on another server', async (_what, end) => {
    await publish(third);
    await poll();
    const token = await publishPreview(second);
    await poll();
    await end();
    await poll();
    const later = releases.openAgain();
    await createMirror(later).pollPreview(signal);
    expect([await shown(token), runningPreview(stateOf())]).toEqual([undefined, undefined]);
    expect([runningPreview(later.copy.stateOf(remote)), problems]).toEqual([undefined, []]);
    later.remove();
  });

  test('that is over when its site first sees it does not begin', async () => {
    await publishPreview(second);
    now += 7 * day;
    await poll();
    expect([stateOf().preview, problems]).toEqual([undefined, []]);
  });

  test('replaces the one before it, which is rejected from then on', async () => {
    const one = await publishPreview(second);
    await poll();
    const past = content;
    const other = await publishPreview(third);
    await poll();
    expect([await shown(one), await shown(other), problems]).toEqual([undefined, third, []]);
    serve(past);
    await poll();
    expect(problems).toEqual([
      { reason: 'signature', message: expect.stringMatching(/not after the last one, of 1\.0\.3/) },
    ]);
    expect(await shown(other)).toBe(third);
  });

  test('of the active release shows nothing', async () => {
    await publishPreview(first);
    await poll();
    expect(stateOf().active).toBe(first);
    expect([stateOf().preview, problems]).toEqual([undefined, []]);
  });

  test.each<[string, string, () => Promise<unknown> | unknown]>([
    ['signed by another team', 'signature', () => publishPreview(second, undefined, newSigner())],
    ['that is a signed release', 'signature', () => serveMore({ 'preview.jws': content['release.jws'] ?? '' })],
    [
      'with a changed file',
      'tampered',
      async () => {
        await publishPreview(second);
        serveMore({ [wholeRelease(remote, second).entry]: '1.0.2-0000000X' });
      },
    ],
    [
      'with a path of another remote',
      'collision',
      async () => {
        await releases.add('mf-privacy', first, { routes: [routeOf('/data')] });
        await releases.activate('mf-privacy', first, by);
        await publishPreview(second, wholeRelease(remote, second, { routes: [routeOf('/data')] }));
      },
    ],
    ['that is anything', 'signature', () => serveMore({ 'preview.jws': '<html>' })],
  ])('%s is rejected and reported once, and the release goes on', async (_what, reason, prepare) => {
    await prepare();
    await poll();
    await poll();
    expect(problems).toEqual([expect.objectContaining({ reason })]);
    expect(releases.copy.originOf(remote)?.previewProblem?.reason).toBe(reason);
    expect(runningPreview(stateOf())).toBeUndefined();
    await publish(third);
    await poll();
    expect(stateOf().active).toBe(third);
  });

  test('that an operator activates is for all visitors; the release at the origin does not come back, but the next one', async () => {
    const token = await publishPreview(second);
    await poll();
    await releases.activate(remote, second, by);
    await poll();
    await createMirror().poll(signal);
    expect([stateOf().active, await shown(token)]).toEqual([second, undefined]);
    await publish(third);
    await poll();
    expect(stateOf().active).toBe(third);
  });
});
