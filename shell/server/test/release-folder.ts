import { rmSync } from 'node:fs';
import type { Release } from '@daybook/contract/release';
import { versionOf, wholeRelease } from '../../../packages/release/src/test/releases.ts';
import { ReleaseManagement } from '../releases/release-management.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** A test's own releases folder. */
export interface TemporaryReleases extends ReleaseManagement {
  readonly folder: string;
  /** The reported problems. */
  readonly problems: readonly string[];
  /** Stores a release whose only file, its entry, has this content. */
  add(name: string, version: string, changes?: Partial<Release>, content?: string): Promise<Release>;
  /** Opens the same folder, like another process. */
  openAgain(): ReleaseManagement;
  remove(): void;
}

export { versionOf, wholeRelease };

/** Makes an empty releases folder of a site with these remotes. */
export function createTemporaryReleases(remotes: readonly string[] = ['mf-legal', 'mf-privacy']): TemporaryReleases {
  const folder = makeTemporaryFolder();
  const problems: string[] = [];
  const open = () => new ReleaseManagement(folder, remotes, (problem) => problems.push(problem));
  const management = open();
  return Object.assign(management, {
    folder,
    problems,
    async add(name: string, version: string, changes: Partial<Release> = {}, content = version) {
      const release = wholeRelease(name, version, changes, content);
      const read = async function* read() {
        yield Buffer.from(content);
      };
      await management.store.add(release, JSON.stringify(release), read, AbortSignal.timeout(5_000));
      return release;
    },
    openAgain: open,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  });
}
