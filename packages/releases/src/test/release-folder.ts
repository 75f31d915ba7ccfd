import { rmSync } from 'node:fs';
import type { Release } from '@daybook/contract/release';
import { ReleaseCache } from '../cache/release-cache.ts';
import { ReleaseManagement } from '../management/release-management.ts';
import type { MirrorOptions } from '../mirror/release-intake.ts';
import type { ReleaseOrigin } from '../origins/origin.ts';
import { RegistryCopy } from '../registry/registry-copy.ts';
import type { PollProblem, SiteRegistry } from '../registry/release-registry.ts';
import { ActiveReleases } from '../serving/active-releases.ts';
import { MemoryRegistry } from './memory-registry.ts';
import { versionOf, wholeRelease } from './releases.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** The parts of a shell server that are about releases, with a folder of their own. */
export interface TemporaryReleases extends ReleaseManagement {
  readonly folder: string;
  readonly registry: SiteRegistry;
  readonly copy: RegistryCopy;
  readonly cache: ReleaseCache;
  readonly active: ActiveReleases;
  /** The reported problems. */
  readonly problems: readonly string[];
  readonly recoveries: readonly string[];
  /** Those of its mirrors, and of the mirrors of all servers that were opened again. */
  readonly pollProblems: Pick<PollProblem, 'reason' | 'message'>[];
  /** Stores a release whose only file, its entry, has this content, in the registry, and updates this server. */
  add(name: string, version: string, changes?: Partial<Release>, content?: string): Promise<Release>;
  /** Returns what a mirror works with; by default of the first remote. */
  mirrorOptions(origin: ReleaseOrigin, changes?: Partial<MirrorOptions>): MirrorOptions;
  /** Opens another server on the same registry; with a folder, that one again, as after a restart. */
  openAgain(folder?: string): TemporaryReleases;
  /** Removes the folder. */
  remove(): void;
}

export { versionOf, wholeRelease };

/** Opens a server of a site with these remotes; by default with an empty registry in memory. */
export function createTemporaryReleases(
  remotes: readonly string[] = ['mf-legal', 'mf-privacy'],
  registry: SiteRegistry = new MemoryRegistry(),
  folder = makeTemporaryFolder(),
  pollProblems: TemporaryReleases['pollProblems'] = [],
): TemporaryReleases {
  const problems: string[] = [];
  const recoveries: string[] = [];
  const report = (problem: string) => problems.push(problem);
  const copy = new RegistryCopy(registry, folder, report, (message) => recoveries.push(message));
  const cache = new ReleaseCache(folder, report);
  const management = new ReleaseManagement({ remotes: () => remotes }, copy);
  const active = new ActiveReleases({ teamKeys: { remotes: () => remotes }, registry, copy, cache, report });
  return Object.assign(management, {
    folder,
    registry,
    copy,
    cache,
    active,
    problems,
    recoveries,
    pollProblems,
    mirrorOptions: (origin: ReleaseOrigin, changes: Partial<MirrorOptions> = {}): MirrorOptions => ({
      remote: remotes[0] ?? '',
      origin,
      registry,
      copy,
      management,
      cache,
      retained: 3,
      onExpiring: () => undefined,
      onProblem: ({ reason, message }) => pollProblems.push({ reason, message }),
      ...changes,
    }),
    async add(name: string, version: string, changes: Partial<Release> = {}, content = version) {
      const release = wholeRelease(name, version, changes, content);
      const description = JSON.stringify(release);
      const files = Object.keys(release.files);
      await registry.store({ remote: name, version, description, files }, async () => Buffer.from(content));
      await active.update();
      return release;
    },
    openAgain: (other?: string) => createTemporaryReleases(remotes, registry, other, pollProblems),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  });
}
