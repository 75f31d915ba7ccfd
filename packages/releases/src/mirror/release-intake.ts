import { isDeepStrictEqual } from 'node:util';
import type { Release } from '@daybook/contract/release';
import type { ReleaseCache } from '../cache/release-cache.ts';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { contentOf, type ReleaseManagement } from '../management/release-management.ts';
import { OriginFailure, type ReleaseOrigin } from '../origins/origin.ts';
import type { RegistryCopy } from '../registry/registry-copy.ts';
import { ConflictError, type PollProblem, type ReleaseRegistry } from '../registry/release-registry.ts';

/** Timeout of storing a release, in ms; the next poll retries. */
const storeTimeout = 120_000;

/**
 * In ms. An origin may replace a damaged file under the same release.json, but fetching and checking a rejected release
 * at every poll would cost as much as a release each time.
 */
const fetchAgainAfter = 30_000;

/** What the mirror of a remote works with. */
export interface MirrorOptions {
  readonly remote: string;
  readonly origin: ReleaseOrigin;
  readonly registry: ReleaseRegistry;
  readonly copy: RegistryCopy;
  readonly management: ReleaseManagement;
  readonly cache: ReleaseCache;
  /** Number of releases to retain, including the active one. */
  readonly retained: number;
  /** Public keys of the remote's team; without them, releases and previews need no signature. */
  readonly trustedKeys?: readonly string[] | undefined;
  /** Called once with each problem. */
  readonly onProblem: (problem: PollProblem) => void;
  /** Called once for each signature that expires within a month. */
  readonly onExpiring: (message: string) => void;
}

/** Fetches the releases and previews of an origin, checks them, and stores them in the registry. */
export class ReleaseIntake {
  readonly #options: MirrorOptions;
  /** The last release whose files were rejected. */
  #rejected: { readonly text: string; readonly until: number; readonly error: ReleaseRejection } | undefined;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /**
   * Stores a release that its origin offers, unless it is stored already.
   *
   * @param text its `release.json`
   * @throws ReleaseRejection or OriginFailure if it can't be stored
   */
  async store(release: Release, text: string, signedAt: number | undefined, signal: AbortSignal): Promise<void> {
    const { registry, copy, management, cache } = this.#options;
    const { name, version, files } = release;
    if (this.#isStored(release)) return;
    management.checkPaths(release, false);
    if (!isDeepStrictEqual(cache.find(name, version)?.release, release)) await this.#fetch(release, text, signal);
    const stored = await registry.store(
      { remote: name, version, description: text, signedAt, files: Object.keys(files) },
      (file) => this.#readCached(release, file),
    );
    await copy.refresh();
    // Another server was first. Its files may be those of another build of the same version.
    if (!stored && !this.#isStored(release))
      throw new ConflictError(`${name}@${version} was stored and removed again.`);
  }

  /**
   * Returns whether the registry has this release.
   *
   * @throws ReleaseRejection if it has another one of the same version
   */
  #isStored(release: Release): boolean {
    const { remote, copy } = this.#options;
    const stored = copy.find(remote, release.version);
    if (!stored || isDeepStrictEqual(contentOf(stored.release), contentOf(release))) return stored !== undefined;
    throw new ReleaseRejection(
      'version-reused',
      `${release.version} differs from the stored release of the same version; raise the version in ${remote}/package.json`,
    );
  }

  /** Checks the file once more: the disk may have damaged it, and all servers get what is stored now. */
  async #readCached({ name, version, files }: Release, file: string): Promise<Buffer> {
    const { cache } = this.#options;
    const content = await cache.readFile(name, version, file);
    if (integrityOf(content) === files[file]?.integrity) return content;
    await cache.remove(name, version);
    throw new Error(`its file ${file} is damaged in RELEASES_FOLDER; the next poll fetches the release again`);
  }

  /** Fetches a release's files into the cache, and checks them. */
  async #fetch(release: Release, text: string, signal: AbortSignal): Promise<void> {
    const { origin, remote, cache } = this.#options;
    const now = performance.now();
    if (this.#rejected?.text === text && now < this.#rejected.until) throw this.#rejected.error;
    await cache.remove(remote, release.version);
    const limit = AbortSignal.timeout(storeTimeout);
    const read = origin.readFile.bind(origin);
    try {
      await cache.add(release, text, read, AbortSignal.any([signal, limit]));
    } catch (error) {
      if (error instanceof ReleaseRejection) this.#rejected = { text, until: now + fetchAgainAfter, error };
      if (!limit.aborted) throw error;
      throw new OriginFailure('timeout', 'its files did not all arrive in time', error);
    }
  }
}
