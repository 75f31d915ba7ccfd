import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { PublicRegistry, RegisteredRemote, Release } from '@daybook/contract/release';
import type { CachedRelease, ReleaseCache } from '../cache/release-cache.ts';
import type { ShellBuilds } from '../cache/shell-builds.ts';
import { pollProblemOf } from '../mirror/poll-problem.ts';
import { type RegistryCopy, shellName } from '../registry/registry-copy.ts';
import { filesIn, RegistryError, type ReleaseRegistry } from '../registry/release-registry.ts';
import { hashOfToken, previewTokenPattern } from '../signature/signature.ts';
import { previousVersions, runningPreview } from '../state/remote-state.ts';
import { type PreviewedSite, register, type ServedReleases } from './served-releases.ts';

/** In ms: the delay until a change by another server is served. */
const pollInterval = 500;

/** In ms: a starting server waits this long for the active releases, then serves what it has. */
const startTimeout = 5_000;

/** In ms: a file that is not here yet delays its response at most this long. */
const catchUpTimeout = 2_000;

/** In ms: requests for unknown files must not poll the registry all the time. */
const catchUpInterval = 200;

/** In ms: what failed is tried again after this time. */
const retryAfter = 10_000;

/** The releases that visitors get of a remote. */
interface ServedRemote {
  /** The active release; a fallback as long as its files are not here. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The previous release, unless it is served already. */
  readonly previous?: Release;
}

interface ActiveReleasesOptions {
  /** The names of the site's remotes. */
  readonly remotes: readonly string[];
  readonly registry: ReleaseRegistry;
  readonly copy: RegistryCopy;
  readonly cache: ReleaseCache;
  /** The shell's own builds; absent in development. */
  readonly shellBuilds?: ShellBuilds | undefined;
  readonly report: (problem: string) => void;
}

/** Compares releases by identity: other ones need another registry, for which pages are composed again. */
function isSame(one: ReadonlyMap<string, ServedRemote>, other: ReadonlyMap<string, ServedRemote>): boolean {
  if (one.size !== other.size) return false;
  return [...one].every(([remote, { served, canary, previous }]) => {
    const there = other.get(remote);
    return (
      there?.served === served &&
      there.previous === previous &&
      there.canary?.release === canary?.release &&
      there.canary?.percent === canary?.percent
    );
  });
}

/**
 * The active releases, in memory and on disk: follows the registry, and fetches the files of all its releases into the
 * cache. While the registry can't be used, everything stays as it is.
 */
export class ActiveReleases implements ServedReleases {
  readonly #options: ActiveReleasesOptions;
  readonly #stopped = new AbortController();
  /** The last failure of each attempt, and its time. */
  readonly #failures = new Map<string, { readonly reason: string; readonly at: number }>();
  #running: Promise<unknown> = Promise.resolve();
  /** What is being fetched, by remote. */
  readonly #filling = new Map<string, Promise<void>>();
  #catchingUp: Promise<unknown> | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;
  #generations = '';
  #served: ReadonlyMap<string, ServedRemote> = new Map();
  #registries = new Map<string, PublicRegistry>();

  constructor(options: ActiveReleasesOptions) {
    this.#options = options;
  }

  /** Follows the registry until `stop()`; resolves when the active releases are here, or after a timeout. */
  async start(): Promise<void> {
    this.#running = this.#follow();
    await Promise.race([this.update(), delay(startTimeout, undefined, { ref: false })]);
  }

  /** Resolves when all reads and writes have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    await Promise.all(this.#filling.values());
  }

  /** Reads the registry, and fetches what is missing here. Never fails: the copy reports problems of the registry. */
  async update(): Promise<void> {
    // What is served now stays if the registry turns out to have lost it.
    this.#current();
    await this.#options.copy.refresh().catch(() => undefined);
    // A run that began before may have missed what the copy has now.
    await this.#fill('again');
  }

  /** Returns as soon as this server has what was in the registry at the time of the call, or after a timeout. */
  async catchUp(): Promise<void> {
    const { copy } = this.#options;
    if (copy.problem) return;
    if (!this.#catchingUp && performance.now() - this.#caughtUpAt < catchUpInterval) return;
    this.#catchingUp ??= this.update().finally(() => {
      this.#catchingUp = undefined;
      this.#caughtUpAt = performance.now();
    });
    await Promise.race([this.#catchingUp, delay(catchUpTimeout, undefined, { ref: false })]);
  }

  registry(bucket = 100): PublicRegistry {
    const current = this.#current();
    const chosen = [...current].map(([name, { served, canary, previous }]) => {
      const inCanary = canary !== undefined && bucket < canary.percent;
      return { name, release: inCanary ? canary.release : served, fallback: inCanary ? served : previous };
    });
    const key = chosen.map(({ release }) => release.version).join();
    const known = this.#registries.get(key);
    if (known) return known;
    const remotes = chosen.map(({ release, fallback }): RegisteredRemote => register(release, fallback));
    const registry = { remotes, missing: this.#options.remotes.filter((name) => !current.has(name)) };
    this.#registries.set(key, registry);
    return registry;
  }

  hasCanary(): boolean {
    return [...this.#current().values()].some(({ canary }) => canary !== undefined);
  }

  async findPreview(token: string): Promise<PreviewedSite | undefined> {
    if (!previewTokenPattern.test(token)) return undefined;
    const found = this.#lookUpPreview(token);
    if (found?.registry) return found;
    // It may have been published a moment ago.
    await this.catchUp();
    return this.#lookUpPreview(token);
  }

  #lookUpPreview(token: string): PreviewedSite | undefined {
    // Need not take constant time: everybody can read the hash at the origin.
    const hash = hashOfToken(token);
    const { copy, remotes } = this.#options;
    const previewOf = (remote: string) => runningPreview(copy.stateOf(remote));
    const remote = remotes.find((each) => previewOf(each)?.tokenHash === hash);
    const preview = remote && previewOf(remote);
    if (!preview) return undefined;
    const { version, endsAt } = preview;
    return { remote, version, endsAt: Date.parse(endsAt), registry: this.#previewRegistry(remote, version) };
  }

  /** Without a fallback: if the previewed release fails, its visitors should see that. */
  #previewRegistry(remote: string, version: string): PublicRegistry | undefined {
    const release = this.find(remote, version)?.release;
    if (!release) return undefined;
    const current = this.#current();
    const key = `${remote}@${version}`;
    const known = this.#registries.get(key);
    if (known) return known;
    const remotes = this.#options.remotes.flatMap((name) => {
      if (name === remote) return register(release);
      const { served, previous } = current.get(name) ?? {};
      return served ? register(served, previous) : [];
    });
    const missing = this.#options.remotes.filter((name) => name !== remote && !current.has(name));
    const registry = { remotes, missing, preview: key };
    this.#registries.set(key, registry);
    return registry;
  }

  find(name: string, version: string): CachedRelease | undefined {
    const { remotes, cache } = this.#options;
    return remotes.includes(name) ? cache.find(name, version) : undefined;
  }

  /** Returns the releases that visitors get of a remote now; `undefined` if there are none. */
  servedBy(remote: string): ServedRemote | undefined {
    return this.#current().get(remote);
  }

  /** Returns why a release can't be served from here: it is not fetched yet, damaged, or for another shell. */
  problemOf(remote: string, version: string): string | undefined {
    if (this.find(remote, version)) return undefined;
    const { cache, copy } = this.#options;
    return (
      (copy.problemOf(remote, version) ?? cache.problemOf(remote, version))?.message ?? 'its files are not here yet'
    );
  }

  /** Returns the served releases; recomputed only after a change. */
  #current(): ReadonlyMap<string, ServedRemote> {
    const { remotes, copy, cache } = this.#options;
    const generations = `${copy.generation} ${cache.generation}`;
    if (generations === this.#generations) return this.#served;
    const chosen = remotes.map((remote) => [remote, this.#choose(remote)] as const);
    const served = new Map(chosen.flatMap(([remote, each]) => (each ? [[remote, each]] : [])));
    if (!isSame(served, this.#served)) {
      this.#served = served;
      this.#registries = new Map();
    }
    // Looking for releases may have found some damaged.
    this.#generations = `${copy.generation} ${cache.generation}`;
    return this.#served;
  }

  #choose(remote: string): ServedRemote | undefined {
    const state = this.#options.copy.stateOf(remote);
    const { active, canary } = state;
    const find = (version: string | undefined) => version && this.find(remote, version)?.release;
    const previous =
      previousVersions(state)
        .map(find)
        .find((release) => release !== undefined) || undefined;
    // Rather what visitors got before than nothing, such as after the loss of the registry or the folder: composed pages
    // are in memory, and files are fetched again.
    const served = find(active) || previous || this.#served.get(remote)?.served;
    if (!served) return undefined;
    const newcomer = canary && find(canary.version);
    return {
      served,
      ...(newcomer ? { canary: { release: newcomer, percent: canary.percent } } : {}),
      ...(previous && previous !== served ? { previous } : {}),
    };
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      // The copy reports failures.
      await this.#options.copy.refresh().catch(() => undefined);
      // Not awaited: a large release must not delay the change of another remote.
      void this.#fill();
      await delay(pollInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Fetches missing files, of all remotes at once: no remote waits for another. */
  async #fill(ifRunning: 'join' | 'again' = 'join'): Promise<void> {
    const fill = async (name: string, run: () => Promise<void>) => {
      if (ifRunning === 'again') await this.#filling.get(name);
      const running = this.#filling.get(name) ?? run().finally(() => this.#filling.delete(name));
      this.#filling.set(name, running);
      await running;
    };
    await Promise.all([
      ...this.#options.remotes.map((remote) => fill(remote, () => this.#fillRemote(remote))),
      fill(shellName, () => this.#fillShellBuilds()),
    ]);
  }

  async #fillRemote(remote: string): Promise<void> {
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

  async #fillShellBuilds(): Promise<void> {
    const { shellBuilds, copy } = this.#options;
    if (!shellBuilds || copy.problem) return;
    await this.#attempt("The shell’s builds can't be fetched from the release registry", () =>
      shellBuilds.fill(this.#stopped.signal),
    );
  }

  #isServed(remote: string, version: string): boolean {
    const { served, previous } = this.servedBy(remote) ?? {};
    return served?.version === version || previous?.version === version;
  }

  async #fetch(remote: string, version: string): Promise<void> {
    const { registry, copy, cache } = this.#options;
    const known = copy.find(remote, version);
    if (!known || copy.problem || this.#stopped.signal.aborted) return;
    const cached = cache.find(remote, version);
    if (isDeepStrictEqual(cached?.release, known.release)) return;
    const files = filesIn(registry, remote, version);
    await this.#attempt(`${remote}@${version} can't be fetched from the release registry`, async () => {
      // Another build of the same version, which this server has found at an origin.
      if (cached) await cache.remove(remote, version);
      await cache.add(known.release, known.description, files, this.#stopped.signal);
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
      if (this.#stopped.signal.aborted || error instanceof RegistryError) return;
      const { reason, message } = pollProblemOf(error);
      this.#failures.set(failed, { reason, at: performance.now() });
      // Not by its message, which may name a temporary file.
      if (reason !== failure?.reason) this.#options.report(`${failed}: ${message}`);
    }
  }
}
