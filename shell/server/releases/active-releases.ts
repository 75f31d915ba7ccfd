import type { RegisteredRemote, Registry, Release } from '@daybook/contract';
import type { ReleaseLog } from './log/release-log.ts';
import type { RemoteState } from './log/remote-state.ts';
import { register, type SiteReleases } from './site-releases.ts';
import type { ReleaseStore, StoredRelease } from './store/release-store.ts';

/** What a remote gives to visitors: its release, and the canary that some get instead. */
export interface GivenReleases {
  /** The active release; the one before it where that is lost or damaged. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The one before, where that does not stand in already. */
  readonly previous?: Release;
}

/** Where releases are, and what is said of them. */
interface LogAndStore {
  readonly log: ReleaseLog;
  readonly store: ReleaseStore;
}

/** The kept release that was active before the active one and was not taken back. */
export function previousOf(remote: string, { log, store }: LogAndStore): StoredRelease | undefined {
  const { active, activations, withdrawn } = log.stateOf(remote);
  const versions = [...activations.keys()].reverse();
  const earlier = versions.filter((version) => version !== active && !withdrawn.has(version));
  return earlier.map((version) => store.find(remote, version)).find((stored) => stored !== undefined);
}

/** What a remote gives to visitors as log and store are at this moment; `undefined` where it has nothing to give. */
export function givenBy(remote: string, { log, store }: LogAndStore): GivenReleases | undefined {
  const { active, canary } = log.stateOf(remote);
  const previous = previousOf(remote, { log, store })?.release;
  // Where the active one is damaged, the site goes on with the one before it.
  const served = (active && store.find(remote, active)?.release) || previous;
  if (!served) return undefined;
  const newcomer = canary && store.find(remote, canary.version)?.release;
  return {
    served,
    ...(newcomer ? { canary: { release: newcomer, percent: canary.percent } } : {}),
    ...(previous && previous !== served ? { previous } : {}),
  };
}

/** The log is looked at this often, in ms: so soon is a change of another process served. */
const watchInterval = 500;

/** The active releases as the log of the release store has them, in memory. */
export class ActiveReleases implements SiteReleases {
  readonly #remotes: readonly string[];
  readonly #store: ReleaseStore;
  readonly #log: ReleaseLog;
  #generation: number | undefined;
  /** Of each remote, as the log had it at that generation of the store. */
  #states: ReadonlyMap<string, RemoteState> = new Map();
  #given: ReadonlyMap<string, GivenReleases> = new Map();
  #registries = new Map<string, Registry>();
  #watch: NodeJS.Timeout | undefined;

  constructor(remotes: readonly string[], store: ReleaseStore, log: ReleaseLog) {
    this.#remotes = remotes;
    this.#store = store;
    this.#log = log;
  }

  /**
   * Looks at the log again and again, for changes that other processes make.
   *
   * @param onError is told once that the log can't be read, until it can again
   */
  watch(onError: (error: unknown) => void): void {
    let failing = false;
    this.#watch = setInterval(() => {
      try {
        this.#log.refresh();
        if (this.#lacksActive()) this.#generation = undefined;
        failing = false;
      } catch (error) {
        if (!failing) onError(error);
        failing = true;
      }
    }, watchInterval).unref();
  }

  stop(): void {
    clearInterval(this.#watch);
  }

  registry(bucket = 100): Registry {
    const given = this.#current();
    const chosen = [...given].map(([name, { served, canary, previous }]) => {
      const inCanary = canary !== undefined && bucket < canary.percent;
      return { name, release: inCanary ? canary.release : served, fallback: inCanary ? served : previous };
    });
    const key = chosen.map(({ release }) => release.version).join();
    const known = this.#registries.get(key);
    if (known) return known;
    const remotes = chosen.map(({ release, fallback }): RegisteredRemote => register(release, fallback));
    const registry = { remotes, missing: this.#remotes.filter((name) => !given.has(name)) };
    this.#registries.set(key, registry);
    return registry;
  }

  hasCanary(): boolean {
    return [...this.#current().values()].some(({ canary }) => canary !== undefined);
  }

  find(name: string, version: string): StoredRelease | undefined {
    return this.#remotes.includes(name) ? this.#store.find(name, version) : undefined;
  }

  /** Whether a release before the active one stands in: the active one may have been stored again by another process. */
  #lacksActive(): boolean {
    return this.#remotes.some((remote) => {
      const { active } = this.#log.stateOf(remote);
      return active !== undefined && this.#given.get(remote)?.served.version !== active;
    });
  }

  /** What the log says, read anew only where it has changed. */
  #current(): ReadonlyMap<string, GivenReleases> {
    // By identity: a state is another object after each change, and after another log has been put in its place.
    const { generation } = this.#store;
    const isSame = (remote: string) => this.#log.stateOf(remote) === this.#states.get(remote);
    if (generation === this.#generation && this.#remotes.every(isSame)) return this.#given;
    this.#generation = generation;
    this.#states = new Map(this.#remotes.map((remote) => [remote, this.#log.stateOf(remote)]));
    this.#registries = new Map();
    this.#given = new Map(
      this.#remotes.flatMap((remote): [string, GivenReleases][] => {
        const given = givenBy(remote, { log: this.#log, store: this.#store });
        return given ? [[remote, given]] : [];
      }),
    );
    return this.#given;
  }
}
