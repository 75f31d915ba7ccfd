import { setTimeout as delay } from 'node:timers/promises';
import { type PublicRegistry, type Release, settlePaths } from '@daybook/contract/release';
import type { CachedRelease } from '../cache/release-cache.ts';
import { hashOfToken, previewTokenPattern } from '../signature/signature.ts';
import { previousVersions, runningPreview } from '../state/remote-state.ts';
import { type FetcherOptions, ReleaseFetcher } from './release-fetcher.ts';
import { type PreviewedSite, register, type ServedReleases } from './served-releases.ts';

/** In ms: the delay until a change by another server is served. */
const pollInterval = 500;

/** In ms: a starting server waits this long for the active releases, then serves what it has. */
const startTimeout = 5_000;

/** In ms: a file that is not here yet delays its response at most this long. */
const catchUpTimeout = 2_000;

/** In ms: requests for unknown files must not poll the registry all the time. */
const catchUpInterval = 200;

/** The releases that visitors get of a remote. */
interface ServedRemote {
  /** The active release; a fallback as long as its files are not here. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The previous release, unless it is served already. */
  readonly previous?: Release;
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
 * The active releases, in memory and on disk: follows the registry. While it can't be used, everything stays as it is.
 */
export class ActiveReleases implements ServedReleases {
  readonly #options: FetcherOptions;
  readonly #fetcher: ReleaseFetcher;
  readonly #stopped = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #catchingUp: Promise<unknown> | undefined;
  #caughtUpAt = Number.NEGATIVE_INFINITY;
  #generations = '';
  #remotes: readonly string[] = [];
  #served: ReadonlyMap<string, ServedRemote> = new Map();
  #registries = new Map<string, PublicRegistry>();

  constructor(options: FetcherOptions) {
    this.#options = options;
    const isServed = (remote: string, version: string) => {
      const { served, previous } = this.servedBy(remote) ?? {};
      return served?.version === version || previous?.version === version;
    };
    this.#fetcher = new ReleaseFetcher(options, isServed, this.#stopped.signal);
  }

  /** Follows the registry until `stop()`; resolves when the active releases are here, or after a timeout. */
  async start(): Promise<void> {
    this.#running = this.#follow();
    await Promise.race([this.update(), delay(startTimeout, undefined, { ref: false })]);
  }

  /** Resolves when all reads and writes have ended. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([this.#running, this.#fetcher.untilIdle()]);
  }

  /** Reads the registry, and fetches what is missing here. Never fails: the copy reports problems of the registry. */
  async update(): Promise<void> {
    // What is served now stays if the registry turns out to have lost it.
    this.#current();
    await this.#options.copy.refresh().catch(() => undefined);
    // A run that began before may have missed what the copy has now.
    await this.#fetcher.fetchAll('again');
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
    const remotes = settlePaths(chosen.map(({ release, fallback }) => register(release, fallback)));
    const registry = { remotes, missing: this.#options.teamKeys.remotes().filter((name) => !current.has(name)) };
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
    const { copy } = this.#options;
    const remotes = this.#options.teamKeys.remotes();
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
    const remotes = settlePaths(
      this.#options.teamKeys.remotes().flatMap((name) => {
        if (name === remote) return register(release);
        const { served, previous } = current.get(name) ?? {};
        return served ? register(served, previous) : [];
      }),
    );
    const missing = this.#options.teamKeys.remotes().filter((name) => name !== remote && !current.has(name));
    const registry = { remotes, missing, preview: key };
    this.#registries.set(key, registry);
    return registry;
  }

  find(name: string, version: string): CachedRelease | undefined {
    const { teamKeys, cache } = this.#options;
    return teamKeys.remotes().includes(name) ? cache.find(name, version) : undefined;
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
    const { copy, cache } = this.#options;
    const remotes = this.#options.teamKeys.remotes();
    const generations = `${copy.generation} ${cache.generation}`;
    if (generations === this.#generations && remotes === this.#remotes) return this.#served;
    const chosen = remotes.map((remote) => [remote, this.#choose(remote)] as const);
    const served = new Map(chosen.flatMap(([remote, each]) => (each ? [[remote, each]] : [])));
    if (!isSame(served, this.#served) || remotes !== this.#remotes) {
      this.#served = served;
      this.#registries = new Map();
    }
    this.#remotes = remotes;
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
      this.#options.teamKeys.refresh?.(this.#options.report);
      // The copy reports failures.
      await this.#options.copy.refresh().catch(() => undefined);
      // Not awaited: a large release must not delay the change of another remote.
      void this.#fetcher.fetchAll();
      await delay(pollInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
