import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release } from '@daybook/contract';
import { openReleases, type ReleaseManagement } from '../releases/release-management.ts';
import { describeFile, releaseOf } from './temporary-site.ts';

/** A releases folder of a test's own. */
export interface TemporaryReleases extends ReleaseManagement {
  readonly folder: string;
  /** What has been reported. */
  readonly problems: readonly string[];
  /** Stores a release whose only file, its entry, has this content. */
  add(name: string, version: string, changes?: Partial<Release>, content?: string): Promise<Release>;
  /** The same folder as another process would open it. */
  openAgain(): ReleaseManagement;
  remove(): void;
}

/** The nth version of a remote that a test makes. */
export const versionOf = (number: number) => `1.0.${number}-${String(number).padStart(8, '0')}`;

/** A release whose only file, its entry, has this content; with true integrity values and sizes. */
export function wholeRelease(
  name: string,
  version: string,
  changes: Partial<Release> = {},
  content = version,
): Release {
  const entry = `remoteEntry.${version.slice(-8)}.js`;
  return releaseOf(name, { version, entry, files: { [entry]: describeFile(Buffer.from(content)) }, ...changes });
}

/** Makes an empty releases folder of a site with these remotes. */
export function createTemporaryReleases(remotes: readonly string[] = ['mf-legal', 'mf-privacy']): TemporaryReleases {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-releases-'));
  const problems: string[] = [];
  const open = () => openReleases(folder, remotes, (problem) => problems.push(problem));
  const management = open();
  return {
    ...management,
    folder,
    problems,
    async add(name, version, changes = {}, content = version) {
      const release = wholeRelease(name, version, changes, content);
      const read = async function* read() {
        yield Buffer.from(content);
      };
      await management.store.add(release, JSON.stringify(release), read, AbortSignal.timeout(5_000));
      return release;
    },
    openAgain: open,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
