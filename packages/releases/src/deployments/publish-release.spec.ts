import { MemoryRegistry } from '@daybook/testing/memory-registry';
import { versionOf } from '@daybook/testing/releases';
import { createTemporaryReleases, type TemporaryReleases } from '@daybook/testing/temporary-releases';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RegistryError } from '../registry/release-registry.ts';
import { hashOfToken, newPreviewToken } from '../signature/preview-token.ts';
import type { Offer } from './deployment-request.ts';

/** A registry that can't be read from the end of the next publication on, until `isReadable` is set again. */
class UnreadableRegistry extends MemoryRegistry {
  isReadable = true;

  override async publish(...publication: Parameters<MemoryRegistry['publish']>) {
    const deployment = await super.publish(...publication);
    this.isReadable = false;
    return deployment;
  }

  override async read(...known: Parameters<MemoryRegistry['read']>) {
    if (!this.isReadable) throw new RegistryError(new Error('timeout'));
    return super.read(...known);
  }
}

let registry: UnreadableRegistry;
let releases: TemporaryReleases;
beforeEach(async () => {
  registry = new UnreadableRegistry();
  releases = createTemporaryReleases(['mf-legal'], registry);
  await releases.add('mf-legal', versionOf(1));
  await releases.activate('mf-legal', versionOf(1), { by: 'test' });
});
afterEach(() => releases.remove());

const publish = (...parameters: [string, Offer?]) => releases.publishVersion('mf-legal', ...parameters);

const activeVersion = () => releases.live.remoteIndex().remotes.map(({ version }) => version);

test('what is published is served by this server at once, although the registry can’t be read at that moment', async () => {
  const token = newPreviewToken();
  await publish(versionOf(2), {
    tokenHash: hashOfToken(token),
    endsAt: new Date(Date.now() + 60_000).toISOString(),
  });
  expect(releases.live.findPreview(token)?.index?.remotes.map(({ version }) => version)).toEqual([versionOf(2)]);
  expect(activeVersion()).toEqual([versionOf(1)]);

  registry.isReadable = true;
  await publish(versionOf(3));
  expect(activeVersion()).toEqual([versionOf(3)]);
  expect(releases.problems).toEqual(expect.arrayContaining([expect.stringContaining('timeout')]));

  // The next read changes nothing of it.
  registry.isReadable = true;
  await releases.live.update();
  expect(activeVersion()).toEqual([versionOf(3)]);
  expect(releases.live.findPreview(token)?.version).toBe(versionOf(2));
});
