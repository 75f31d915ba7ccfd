import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { ReleaseVariant } from '@daybook/runner/releases';
import { type Fault, faults, heavyFaults, type Sent, sentOf } from '@daybook/testing/faults';
import { versionOf, wholeRelease } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ReleaseRejection } from '../src/manifest/rejection.ts';

// All checks and files are real; the registry is in memory.

const [active, broken, next] = [1, 2, 3].map((number): ReleaseVariant => {
  const version = versionOf(number);
  const release = wholeRelease('mf-legal', version);
  return { release, files: new Map([[release.entry, Buffer.from(version)]]) };
}) as [ReleaseVariant, ReleaseVariant, ReleaseVariant];

let releases: TemporaryReleases;
let around: Parameters<Fault['make']>[1];
beforeEach(async () => {
  releases = createTemporaryReleases();
  const other = await releases.add('mf-privacy', versionOf(1));
  await releases.activate('mf-privacy', other.version, { by: 'test' });
  around = { active: active.release, other };
});
afterEach(() => releases.remove());

const publish = (sent: Sent) => releases.publish('mf-legal', sent);

// The limit of the size of a manifest is that of its part: shell/server/releases-api/read-upload.ts. Heavy ones go through a whole
// server: shell/server/hostile-releases.spec.ts.
const isShownHere = (fault: Fault) => !/release.json has/.test(fault.name) && !heavyFaults.includes(fault);

test.each(faults.filter(isShownHere))(
  '$reason: $name is rejected, the active release stays, and the next one follows',
  async ({ reason, message, make }) => {
    await publish(sentOf(active));
    for (let time = 0; time < 2; time += 1) {
      const rejection = await publish(make(broken, around)).catch((error: unknown) => error);
      if (!(rejection instanceof ReleaseRejection)) throw rejection;
      expect(rejection.reason).toBe(reason);
      expect(rejection.errors).toContainEqual(expect.stringMatching(message));
      for (const line of rejection.errors) {
        expect(line).not.toMatch(/\p{Cc}/u);
        expect(line.length).toBeLessThan(503);
      }
    }
    const snapshot = releases.snapshot();
    expect(snapshot.servedBy('mf-legal')?.served.version).toBe(active.release.version);
    expect(snapshot.stateOf('mf-legal')).toMatchObject({ active: active.release.version, number: 1 });
    expect(snapshot.servableOf('mf-legal').map(({ version }) => version)).toEqual([active.release.version]);
    mkdirSync(path.join(releases.folder, '.incoming'), { recursive: true });
    expect(readdirSync(path.join(releases.folder, '.incoming'))).toEqual([]);
    expect((await publish(sentOf(next))).outcome).toBe('deployed');
  },
);
