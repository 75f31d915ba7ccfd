import { isDeepStrictEqual } from 'node:util';
import type { ReleaseCache } from '../cache/release-cache.ts';
import type { ShellBuilds } from '../cache/shell-builds.ts';
import { pollProblemOf } from '../mirror/poll-problem.ts';
import { type RegistryCopy, shellName } from '../registry/registry-copy.ts';
import { filesIn, RegistryError, type ReleaseRegistry } from '../registry/release-registry.ts';
import type { TeamKeys } from '../signature/team-keys.ts';
import { previousVersions, runningPreview } from '../state/remote-state.ts';

/** In ms: what failed is tried again after this time. */
const retryAfter = 10_000;

export interface FetcherOptions {
  /** Names the site's remotes. */
  readonly teamKeys: Pick<TeamKeys, 'remotes'> & Partial<Pick<TeamKeys, 'refresh'>>;
  readonly registry: ReleaseRegistry;
  readonly copy: RegistryCopy;
  readonly cache: ReleaseCache;
  /** The shell's own builds; absent in development. */
  readonly shellBuilds?: ShellBuilds | undefined;
  readonly report: (problem: string) => void;
}

/** Fetches the files of all releases in the registry into the cache, and removes those of others. */
export class ReleaseFetcher {
  readonly #options: FetcherOptions;
  readonly #isServed: (remote: string, version: string) => boolean;
  readonly #stopped: AbortSignal;
  /** What is being fetched, by remote. */
  readonly #running = new Map<string, Promise<void>>();
  /** The last failure of each attempt, and its time. */
  readonly #failures = new Map<string, { readonly reason: string; readonly at: number }>();

  /**
   * @param isServed whether visitors get a release, which stays even if the registry has lost it
   * @param stopped ends all fetches; none begins after it
   */
  constructor(options: FetcherOptions, isServed: (remote: string, version: string) => boolean, stopped: AbortSignal) {
    this.#options = options;
    this.#isServed = isServed;
    this.#stopped = stopped;
  }

  /**
   * Fetches missing files, of all remotes at once: no remote waits for another. Never fails.
   *
   * @param ifRunning of a remote whose files are being fetched: to join that, or to do it again afterward
   */
  async fetchAll(ifRunning: 'join' | 'again' = 'join'): Promise<void> {
    const fetch = async (name: string, run: () => Promise<void>) => {
      if (ifRunning === 'again') await this.#running.get(name);
      // Who stops the server waits only for what runs at that time.
      if (this.#stopped.aborted) return;
      const running = this.#running.get(name) ?? run().finally(() => this.#running.delete(name));
      this.#running.set(name, running);
      await running;
    };
    await Promise.all([
      ...this.#options.teamKeys.remotes().map((remote) => fetch(remote, () => this.#fetchRemote(remote))),
      fetch(shellName, () => this.#fetchShellBuilds()),
    ]);
  }

  /** Resolves when the writes that run now have ended. */
  async untilIdle(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #fetchRemote(remote: string): Promise<void> {
    const { copy, cache } = this.#options;
    const state = copy.stateOf(remote);
    const urgent = [state.active, state.canary?.version, runningPreview(state)?.version, ...previousVersions(state)];
    const versions = new Set([...urgent, ...copy.releasesOf(remote).map(({ release }) => release.version)]);
    for (const version of versions) if (version !== undefined) await this.#fetch(remote, version);
    const isNeeded = (version: string) => copy.find(remote, version) !== undefined || this.#isServed(remote, version);
    await this.#attempt(`Old releases of ${remote} can't be removed from RELEASES_FOLDER`, () =>
      cache.prune(remote, isNeeded),
    );
  }

  async #fetchShellBuilds(): Promise<void> {
    const { shellBuilds, copy } = this.#options;
    if (!shellBuilds || copy.problem) return;
    await this.#attempt("The shell’s builds can't be fetched from the release registry", () =>
      shellBuilds.fill(this.#stopped),
    );
  }

  async #fetch(remote: string, version: string): Promise<void> {
    const { registry, copy, cache } = this.#options;
    const known = copy.find(remote, version);
    if (!known || copy.problem || this.#stopped.aborted) return;
    const cached = cache.find(remote, version);
    if (isDeepStrictEqual(cached?.release, known.release)) return;
    const files = filesIn(registry, remote, version);
    await this.#attempt(`${remote}@${version} can't be fetched from the release registry`, async () => {
      // Another build of the same version, which this server has found at an origin.
      if (cached) await cache.remove(remote, version);
      await cache.add(known.release, known.description, files, this.#stopped);
    });
  }

  /**
   * Does something, unless that failed a moment ago. Never fails: reports each failure once.
   *
   * @param failed what a failure means, for the report
   */
  async #attempt(failed: string, act: () => Promise<void>): Promise<void> {
    const failure = this.#failures.get(failed);
    if (failure && performance.now() - failure.at < retryAfter) return;
    try {
      await act();
      this.#failures.delete(failed);
    } catch (error) {
      // The copy reports failures of the registry.
      if (this.#stopped.aborted || error instanceof RegistryError) return;
      const { reason, message } = pollProblemOf(error);
      this.#failures.set(failed, { reason, at: performance.now() });
      // Not by its message, which may name a temporary file.
      if (reason !== failure?.reason) this.#options.report(`${failed}: ${message}`);
    }
  }
}
