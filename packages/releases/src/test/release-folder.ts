import { rmSync } from 'node:fs';
import type { Release } from '@daybook/contract/release';
import { ReleaseManagement } from '../deployments/release-management.ts';
import type { ReleaseRegistry } from '../registry/release-registry.ts';
import { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { MemoryRegistry } from './memory-registry.ts';
import { versionOf, wholeRelease } from './releases.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** The parts of a shell server that are about releases, with a folder of their own. */
export interface TemporaryReleases extends ReleaseManagement {
  readonly folder: string;
  readonly registry: ReleaseRegistry;
  readonly live: LiveSnapshot;
  /** The reported problems. */
  readonly problems: readonly string[];
  readonly recoveries: readonly string[];
  snapshot(): Snapshot;
  /** Stores a release whose only file, its entry, has this content, in the registry, and updates this server. */
  add(name: string, version: string, changes?: Partial<Release>, content?: string): Promise<Release>;
  /** Opens another server on the same registry; with a folder, that one again, as after a restart. */
  openAgain(folder?: string): TemporaryReleases;
  /** Removes the folder. */
  remove(): void;
}

export { versionOf, wholeRelease };

/** Opens a server of a site with these remotes; by default with an empty registry in memory. */
export function createTemporaryReleases(
  remotes: readonly string[] = ['mf-legal', 'mf-privacy'],
  registry: ReleaseRegistry = new MemoryRegistry(),
  folder = makeTemporaryFolder(),
): TemporaryReleases {
  const problems: string[] = [];
  const recoveries: string[] = [];
  const live = new LiveSnapshot({
    teamKeys: { remotes: () => remotes },
    registry,
    folder,
    report: (problem) => problems.push(problem),
    onRecovery: (message) => recoveries.push(message),
  });
  return Object.assign(new ReleaseManagement(live), {
    folder,
    registry,
    live,
    problems,
    recoveries,
    snapshot: () => live.current,
    async add(name: string, version: string, changes: Partial<Release> = {}, content = version) {
      const release = wholeRelease(name, version, changes, content);
      const stored = { remote: name, version, manifest: JSON.stringify(release), signature: 'of a test', pages: {} };
      await registry.store(stored, Object.keys(release.files), async () => Buffer.from(content));
      await live.update();
      return release;
    },
    openAgain: (other?: string) => createTemporaryReleases(remotes, registry, other),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  });
}
