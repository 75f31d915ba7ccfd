import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '@daybook/testing/eventually';
import { type Fault, faults, folderFaults, signedFaults, signedOf } from '@daybook/testing/faults';
import { OriginServer, type Served, servedOf } from '@daybook/testing/origin-server';
import { type ReleaseVariant, writeRelease } from '@daybook/testing/releases';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { rejectionReasons } from '../src/gate/gate.ts';
import { RemoteMirror } from '../src/mirror/remote-mirror.ts';
import { openOrigin } from '../src/origins/open-origin.ts';
import type { ReleaseOrigin } from '../src/origins/origin.ts';
import { fakeClock } from '../src/test/fake-clock.ts';
import {
  createTemporaryReleases,
  type TemporaryReleases,
  versionOf,
  wholeRelease,
} from '../src/test/release-folder.ts';
import { newSigner } from '../src/test/signers.ts';
import { makeTemporaryFolder } from '../src/test/temporary-folder.ts';

// Origins, mirror, gate and cache are real; the registry is in memory.

const [team, otherTeam] = [newSigner(), newSigner()];
const signal = new AbortController().signal;
const signedAt = Date.now() - 5 * 3_600_000;

const [active, broken, next] = [1, 2, 3].map((number): ReleaseVariant => {
  const version = versionOf(number);
  const release = wholeRelease('mf-legal', version);
  return { release, files: new Map([[release.entry, Buffer.from(version)]]) };
}) as [ReleaseVariant, ReleaseVariant, ReleaseVariant];

let server: OriginServer;
let releases: TemporaryReleases;
let around: { active: ReleaseVariant['release']; other: ReleaseVariant['release'] };

beforeAll(async () => {
  server = new OriginServer();
  await server.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  releases = createTemporaryReleases();
  const other = await releases.add('mf-privacy', versionOf(1));
  await releases.activate('mf-privacy', other.version, { by: 'test' });
  around = { active: active.release, other };
});
afterEach(() => releases.remove());

/** Polls an origin that stalls: the time of the timeout is over as soon as it has been asked for what it never sends. */
async function pollStalling(mirror: RemoteMirror): Promise<boolean> {
  const stalling = [...server.served].flatMap(([name, content]) => (typeof content === 'function' ? name : []));
  server.requested = [];
  fakeClock('timeouts');
  try {
    const polled = mirror.poll(signal);
    await eventually(() => expect(stalling).toContain(server.requested.at(-1)));
    jest.advanceTimersByTime(10_000);
    return await polled;
  } finally {
    jest.useRealTimers();
  }
}

/** Offers a good release, a broken one and the next good one to mirrors that poll an origin. */
async function expectRejection(
  { reason, message }: Pick<Fault, 'reason' | 'message'>,
  offers: { readonly [Each in 'good' | 'broken' | 'next']: () => Promise<unknown> | unknown },
  openIt: () => ReleaseOrigin,
  trustedKeys?: readonly string[],
): Promise<void> {
  const { copy, pollProblems: problems } = releases;
  const createMirror = () => new RemoteMirror(releases.mirrorOptions(openIt(), { trustedKeys }));
  const mirror = createMirror();
  await offers.good();
  expect([await mirror.poll(signal), problems]).toEqual([true, []]);

  await offers.broken();
  // As after a restart: an origin that has been read before may respond that nothing has changed.
  const restarted = createMirror();
  const pollBroken = () => (reason === 'timeout' ? pollStalling(restarted) : restarted.poll(signal));
  // Not a failed poll if the origin delivers: the release that fixes it must not wait for a backoff.
  const delivered = (rejectionReasons as readonly string[]).includes(reason);
  expect([await pollBroken(), await pollBroken()]).toEqual([delivered, delivered]);
  expect(problems).toEqual([{ reason, message: expect.stringMatching(message) }]);
  expect(problems[0]?.message).not.toMatch(/\p{Cc}/u);
  expect(problems[0]?.message.length).toBeLessThan(503);
  await releases.active.update();
  expect(copy.originOf('mf-legal')?.problem).toMatchObject({ reason });
  expect(releases.active.servedBy('mf-legal')?.served.version).toBe(active.release.version);
  expect(copy.stateOf('mf-legal')).toMatchObject({ active: active.release.version, number: 1 });
  expect(copy.releasesOf('mf-legal').map(({ release }) => release.version)).toEqual([active.release.version]);
  expect(readdirSync(path.join(releases.folder, '.incoming'))).toEqual([]);

  await offers.next();
  expect(await mirror.poll(signal)).toBe(true);
  await copy.refresh();
  expect(copy.stateOf('mf-legal').active).toBe(next.release.version);
  expect(copy.originOf('mf-legal')?.problem).toBeNull();
}

const serve = async (served: Served | Promise<Served>) => {
  server.served = await served;
  server.requested = [];
};
const overHttp = () => openOrigin(server.address);

describe('an origin is reported once, the active release stays, and the next one follows', () => {
  test.each(faults)('$reason: $name', async ({ make, ...fault }) => {
    const offers = {
      good: () => serve(servedOf(active)),
      broken: () => serve(make(broken, around)),
      next: () => {
        // No redirect was followed.
        expect(server.requested).not.toContain('elsewhere');
        return serve(servedOf(next));
      },
    };
    await expectRejection(fault, offers, overHttp);
  });

  test.each(signedFaults)('of signed releases, $reason: $name', async ({ make, ...fault }) => {
    const offers = {
      good: () => serve(signedOf(active, team, signedAt)),
      broken: () => serve(make(broken, { ...around, team, otherTeam, signedAt })),
      next: () => serve(signedOf(next, team, Date.now())),
    };
    await expectRejection(fault, offers, overHttp, [team.publicKey]);
  });

  test.each(folderFaults)('of a folder, $reason: $name', async ({ make, ...fault }) => {
    const parent = makeTemporaryFolder();
    const folder = path.join(parent, 'release');
    const write = (variant: ReleaseVariant) => writeRelease(folder, variant);
    const offers = {
      good: () => write(active),
      broken: () => {
        write(broken);
        make(folder, broken.release);
      },
      next: () => {
        rmSync(folder, { recursive: true, force: true });
        write(next);
      },
    };
    await expectRejection(fault, offers, () => openOrigin(`file:${folder}`));
    rmSync(parent, { recursive: true });
  });
});
