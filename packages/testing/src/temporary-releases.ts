import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Release } from '@daybook/contract/release';
import {
  LiveSnapshot,
  publishRelease,
  ReleaseManagement,
  type ReleaseRegistry,
  type Snapshot,
} from '@daybook/releases/server';
import { MemoryRegistry } from './memory-registry.ts';
import { wholeRelease } from './releases.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

type Published = ReturnType<typeof publishRelease>;

/** The parts of a shell server that are about releases, with a folder of their own. */
export interface TemporaryReleases extends ReleaseManagement {
  readonly folder: string;
  /** The reported problems. */
  readonly problems: readonly string[];
  readonly recoveries: readonly string[];
  snapshot(): Snapshot;
  /** Stores a release whose only file, its entry, has this content, in the registry, and updates this server. */
  add(name: string, version: string, changes?: Partial<Release>, content?: string): Promise<Release>;
  /** Publishes what was sent of a release, `release.json` among it, as the API does with an upload. */
  publish(
    remote: string,
    sent: ReadonlyMap<string, Buffer | string>,
    offer?: Parameters<typeof publishRelease>[1]['offer'],
  ): Published;
  /** Publishes a release whose only file, its entry, is its version. */
  publishVersion(remote: string, version: string, offer?: Parameters<typeof publishRelease>[1]['offer']): Published;
  /** Opens another server on the same registry; with a folder, that one again, as after a restart. */
  openAgain(folder?: string): TemporaryReleases;
  /** Removes the folder. */
  remove(): void;
}

const by = { by: 'test' };
const { signal } = new AbortController();

/** Opens a server of a site with these remotes; by default with an empty registry in memory. */
export function createTemporaryReleases(
  remotes: readonly string[] = ['mf-legal', 'mf-privacy'],
  registry: ReleaseRegistry = new MemoryRegistry(),
  folder = makeTemporaryFolder(),
): TemporaryReleases {
  const problems: string[] = [];
  const recoveries: string[] = [];
  const live = new LiveSnapshot({
    teamKeys: { remotes: () => remotes, refresh: () => undefined },
    registry,
    folder,
    report: (problem) => problems.push(problem),
    onRecovery: (message) => recoveries.push(message),
  });
  const management = new ReleaseManagement(registry, live, 9);
  const publish: TemporaryReleases['publish'] = (remote, sent, offer) =>
    live.files.inTemporary(async (temporary) => {
      const files = new Map<string, string>();
      for (const [name, content] of sent) {
        const place = path.join(temporary, String(files.size));
        writeFileSync(place, content);
        files.set(name, place);
      }
      files.delete('release.json');
      const manifest = String(sent.get('release.json'));
      const release = { remote, manifest, signature: 'of a test', files, offer, decision: by };
      return publishRelease(management, release, signal);
    });
  return Object.assign(management, {
    folder,
    problems,
    recoveries,
    publish,
    snapshot: () => live.current,
    async add(name: string, version: string, changes: Partial<Release> = {}, content = version) {
      const release = wholeRelease(name, version, changes, content);
      const stored = { remote: name, version, manifest: JSON.stringify(release), signature: 'of a test', pages: {} };
      await registry.store(stored, Object.keys(release.files), async () => Buffer.from(content));
      await live.update();
      return release;
    },
    publishVersion(remote: string, version: string, offer?: Parameters<typeof publishRelease>[1]['offer']) {
      const release = wholeRelease(remote, version);
      const sent = new Map([
        [release.entry, version],
        ['release.json', JSON.stringify(release)],
      ]);
      return publish(remote, sent, offer);
    },
    openAgain: (other?: string) => createTemporaryReleases(remotes, registry, other),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  });
}
