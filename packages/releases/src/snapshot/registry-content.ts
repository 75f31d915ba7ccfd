import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Release, type ReleaseFile, releaseFileSchema } from '@daybook/contract/release';
import * as z from 'zod';
import { readManifest } from '../manifest/manifest.ts';
import {
  type ListedRelease,
  type RegistryRead,
  type StoredManifest,
  storedFiles,
} from '../registry/release-registry.ts';
import { type Deployment, initialState, type RemoteState, reduce } from '../registry/remote-state.ts';

/** The name under which the shell's own builds are stored, beside the releases of remotes. */
export const shellName = 'shell';

/** A release in the registry, with its manifest parsed. */
export interface StoredRelease extends ListedRelease, StoredManifest {
  /** `undefined` of a build of the shell, and of a release that this shell can't serve. */
  readonly release?: Release;
  /** Why this shell can't serve it: it is for another contract. */
  readonly error?: Error;
  /** All of its files, with its pages. */
  readonly files: Readonly<Record<string, ReleaseFile>>;
}

/** What the registry has, but the content of files: all that was read of it so far, put together. */
export interface RegistryContent {
  /** In the order in which they were read; of each remote by number. */
  readonly deployments: readonly Deployment[];
  readonly states: ReadonlyMap<string, RemoteState>;
  /** By `<remote>@<version>`. */
  readonly releases: ReadonlyMap<string, StoredRelease>;
}

export const nothingStored: RegistryContent = { deployments: [], states: new Map(), releases: new Map() };

export const keyOf = ({ remote, version }: Pick<ListedRelease, 'remote' | 'version'>) => `${remote}@${version}`;

const filesSchema = z.object({ files: z.record(z.string(), releaseFileSchema) });

/** Parses the manifest of a stored release. Never fails: `error` states why it can't be served. */
export function storedRelease(listed: ListedRelease, { manifest, pages }: StoredManifest): StoredRelease {
  const stored = { ...listed, manifest, pages };
  try {
    if (listed.remote === shellName) return { ...stored, files: filesSchema.parse(JSON.parse(manifest)).files };
    const release = readManifest(manifest, listed.remote);
    if (release.version !== listed.version) throw new Error(`its release.json is of ${release.version}`);
    return { ...stored, release, files: storedFiles(release.files, pages) };
  } catch (error) {
    return { ...stored, error: error as Error, files: {} };
  }
}

/** Returns a remote whose last known deployment is no longer in the registry: it was restored from a backup. */
export function findReplaced(last: ReadonlyMap<string, Deployment>, read: RegistryRead): string | undefined {
  return [...last].find(([remote, deployment]) => {
    const found = read.deployments.find((each) => each.remote === remote && each.number === deployment.number);
    return !isDeepStrictEqual(found, deployment);
  })?.[0];
}

/**
 * Adds what was read of the registry.
 *
 * @param releases all that are in the registry now
 * @returns the same object if nothing is new
 * @throws Error if deployments are missing
 */
export function added(
  before: RegistryContent,
  read: Pick<RegistryRead, 'deployments'>,
  releases: RegistryContent['releases'],
): RegistryContent {
  const states = new Map(before.states);
  const isNew = ({ remote, number }: Deployment) => number > (before.states.get(remote)?.number ?? 0);
  const news = read.deployments.filter(isNew);
  for (const [remote, deployments] of Map.groupBy(news, (each) => each.remote)) {
    const state = reduce(states.get(remote) ?? initialState, deployments);
    const afterGap = deployments.find(({ number }) => number > state.number);
    if (afterGap)
      throw new Error(
        `The release registry lacks deployments of ${remote} before number ${afterGap.number}, so its state is unknown. Restore the table releases.deployment from a backup.`,
      );
    states.set(remote, state);
  }
  const isSame =
    releases.size === before.releases.size && [...releases].every(([key, each]) => before.releases.get(key) === each);
  if (news.length === 0 && isSame) return before;
  return {
    deployments: news.length > 0 ? [...before.deployments, ...news] : before.deployments,
    states,
    releases: isSame ? before.releases : releases,
  };
}

interface LastKnown {
  readonly deployments: readonly Deployment[];
  readonly releases: readonly (ListedRelease & StoredManifest)[];
}

/** The last known content of the registry, in a file of this server, for a start while the registry can't be used. */
export class LastKnownFile {
  readonly #file: string;
  readonly #report: (problem: string) => void;
  #reported: string | undefined;

  constructor(folder: string, report: (problem: string) => void) {
    this.#file = path.join(folder, 'last-known.json');
    this.#report = report;
  }

  /** Returns an empty content if the file is missing or damaged: the registry has it all. */
  read(): RegistryContent {
    try {
      const { deployments, releases } = JSON.parse(readFileSync(this.#file, 'utf8')) as LastKnown;
      const stored = releases.map((each) => [keyOf(each), storedRelease(each, each)] as const);
      return added(nothingStored, { deployments }, new Map(stored));
    } catch {
      return nothingStored;
    }
  }

  /** Never fails: reports each problem once. */
  write({ deployments, releases }: RegistryContent): void {
    const listed = [...releases.values()].map(({ remote, version, storedAt, manifest, pages }) => ({
      ...{ remote, version, storedAt, manifest, pages },
    }));
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(`${this.#file}.tmp`, JSON.stringify({ deployments, releases: listed } satisfies LastKnown));
      renameSync(`${this.#file}.tmp`, this.#file);
      this.#reported = undefined;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.#reported) this.#report(`The last known releases can't be stored: ${message}`);
      this.#reported = message;
    }
  }
}
