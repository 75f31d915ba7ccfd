import { OriginServer } from '@daybook/testing/origin-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openOrigin } from '../origins/open-origin.ts';
import type { PollProblem } from '../registry/release-registry.ts';
import { hashOfToken, newPreviewToken } from '../serving/preview-token.ts';
import { previewLifetime, type ReleaseSigner, signPreview, signRelease } from '../signature/signature.ts';
import { runningPreview } from '../state/remote-state.ts';
import { createTemporaryReleases, type TemporaryReleases, versionOf, wholeRelease } from '../test/release-folder.ts';
import { routeOf } from '../test/releases.ts';
import { newSigner } from '../test/signers.ts';
import { PreviewMirror } from './preview-mirror.ts';
import { RemoteMirror } from './remote-mirror.ts';

// Mirrors, registry copy, cache and HTTP are real.

const remote = 'mf-legal';
const [first, second, third] = [versionOf(1), versionOf(2), versionOf(3)];
const start = Date.parse('2026-11-22T12:00:00Z');
const hour = 60 * 60_000;
const team = newSigner();
const by = { by: 'Ann' };
const signal = new AbortController().signal;

const server = new OriginServer();
let content: Map<string, string>;
let releases: TemporaryReleases;
let now: number;
let problems: PollProblem[];
let mirror: RemoteMirror;
let previews: PreviewMirror;

function createMirrors(management: TemporaryReleases = releases) {
  const { registry, copy, cache } = management;
  const options = {
    remote,
    origin: openOrigin(server.address),
    registry,
    copy,
    management,
    cache,
    retained: 2,
    fetchAgainAfter: 0,
    trustedKeys: [team.publicKey],
    onProblem: (problem: PollProblem) => problems.push(problem),
  };
  return [new RemoteMirror(options), new PreviewMirror(options)] as const;
}

beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  [content, problems, now] = [new Map(), [], start];
  server.served = content;
  server.requested = [];
  releases = createTemporaryReleases();
  jest.spyOn(Date, 'now').mockImplementation(() => now);
  [mirror, previews] = createMirrors();
});
afterEach(() => {
  jest.restoreAllMocks();
  releases.remove();
});

async function publish(version: string): Promise<void> {
  const release = wholeRelease(remote, version);
  const text = JSON.stringify(release);
  now += hour;
  content.set(release.entry, version).set('release.jws', await signRelease(text, remote, team, now));
}

/** Publishes a preview beside the release; returns its token. */
async function publishPreview(version: string, release = wholeRelease(remote, version), signer: ReleaseSigner = team) {
  const token = newPreviewToken();
  now += hour;
  const signed = await signPreview(JSON.stringify(release), remote, hashOfToken(token), signer, now);
  content.set(release.entry, version).set('preview.jws', signed);
  return token;
}

async function poll(): Promise<void> {
  await mirror.poll(signal);
  await previews.poll(signal);
  await releases.active.update();
}

const state = () => releases.copy.stateOf(remote);
const shown = async (token: string) => (await releases.active.findPreview(token))?.version;

describe('a preview at an origin', () => {
  beforeEach(async () => {
    await publish(first);
    await poll();
  });

  test('is normally missing, which is no problem', async () => {
    expect(await previews.poll(signal)).toBe(true);
    expect([problems, server.requested.includes('preview.jws')]).toEqual([[], true]);
  });

  test('is shown to whoever has its token, and is not activated', async () => {
    const token = await publishPreview(second);
    await poll();
    expect(state()).toMatchObject({ active: first, withdrawn: new Set([second]) });
    const found = await releases.active.findPreview(token);
    expect(found).toMatchObject({ remote, version: second, endsAt: now + previewLifetime });
    expect(found?.registry).toMatchObject({ remotes: [{ version: second }], preview: `${remote}@${second}` });
    expect(releases.active.registry().remotes).toMatchObject([{ version: first }]);
    expect(problems).toEqual([]);
  });

  test('is not shown for another token', async () => {
    await publishPreview(second);
    await poll();
    const hash = state().preview?.tokenHash ?? '';
    for (const token of [newPreviewToken(), '', hash, 'x'.repeat(100_000), '../', '%00'])
      expect(await shown(token)).toBeUndefined();
  });

  test('is not activated if the origin offers the same release as its own later', async () => {
    await publishPreview(second);
    await poll();
    await publish(second);
    await poll();
    expect(state()).toMatchObject({ active: first, withdrawn: new Set([second]) });
  });

  test('runs on, however many newer releases its origin has, which it does not delay', async () => {
    const token = await publishPreview(second);
    await poll();
    for (const version of [3, 4, 5, 6].map(versionOf)) {
      await publish(version);
      await poll();
      expect([state().active, await shown(token)]).toEqual([version, second]);
    }
  });

  test('ends by itself after its time, and does not begin again', async () => {
    const token = await publishPreview(second);
    await poll();
    now += previewLifetime;
    await poll();
    expect([await shown(token), runningPreview(state()), problems]).toEqual([undefined, undefined, []]);
    const later = releases.openAgain();
    const [, another] = createMirrors(later);
    await another.poll(signal);
    expect([runningPreview(later.copy.stateOf(remote)), problems]).toEqual([undefined, []]);
    later.remove();
  });

  test('does not begin again after it was ended', async () => {
    const token = await publishPreview(second);
    await poll();
    await releases.endPreview(remote, by);
    await poll();
    expect([await shown(token), state().withdrawn]).toEqual([undefined, new Set([second])]);
  });

  test('replaces the one before it, whose link shows nothing then', async () => {
    const one = await publishPreview(second);
    await poll();
    const other = await publishPreview(third);
    await poll();
    expect([await shown(one), await shown(other), problems]).toEqual([undefined, third, []]);
  });

  test('is rejected if it is one of the past', async () => {
    await publishPreview(second);
    const past = content.get('preview.jws') ?? '';
    const token = await publishPreview(third);
    await poll();
    content.set('preview.jws', past);
    await poll();
    expect(problems).toEqual([
      { reason: 'signature', message: expect.stringMatching(/not after the last one, of 1\.0\.3/) },
    ]);
    expect(await shown(token)).toBe(third);
  });

  test('of the active release shows nothing, and does not withdraw it', async () => {
    await publishPreview(first);
    await poll();
    expect(state()).toMatchObject({ active: first, withdrawn: new Set() });
    expect(state().preview).toBeUndefined();
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ['signed by another team', 'signature', () => publishPreview(second, undefined, newSigner())],
    ['that is a signed release', 'signature', async () => content.set('preview.jws', content.get('release.jws') ?? '')],
    [
      'with a changed file',
      'tampered',
      async () => {
        await publishPreview(second);
        content.set(wholeRelease(remote, second).entry, '1.0.2-0000000X');
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
    ['that is anything', 'signature', async () => content.set('preview.jws', '<html>')],
  ])('%s is rejected and reported once, and the release goes on', async (_what, reason, prepare) => {
    await prepare();
    await poll();
    await poll();
    expect(problems).toEqual([expect.objectContaining({ reason })]);
    await releases.copy.refresh();
    expect(releases.copy.originOf(remote)?.previewProblem?.reason).toBe(reason);
    expect(runningPreview(state())).toBeUndefined();
    await publish(third);
    await poll();
    expect(state().active).toBe(third);
  });
});

describe('activating a preview', () => {
  let token: string;
  beforeEach(async () => {
    await publish(first);
    await poll();
    token = await publishPreview(second);
    await poll();
    await releases.replace(remote, second, by);
    await poll();
  });

  test('gives it to all visitors, ends the preview, and the release at the origin does not come back, but the next one', async () => {
    expect([state().active, await shown(token)]).toEqual([second, undefined]);
    const [another] = createMirrors();
    await another.poll(signal);
    expect(state().active).toBe(second);
    await publish(third);
    await poll();
    expect(state().active).toBe(third);
  });

  test('leaves the replaced release as the one to roll back to', async () => {
    await releases.rollback(remote, by);
    await poll();
    expect(state()).toMatchObject({ active: first, withdrawn: new Set([second]) });
  });
});

test('activating a preview is rejected if a release that waits at the origin would take its place', async () => {
  await publish(first);
  await poll();
  await publishPreview(second);
  await poll();
  await releases.canary(remote, second, 10, by);
  await publish(third);
  await poll();
  await expect(releases.replace(remote, second, by)).rejects.toThrow(
    `The origin of mf-legal offers ${third}, which would soon take the place of ${second}.`,
  );
});
