import type { RegisteredRemote, Registry } from '@daybook/contract';
import type { RemoteState } from './log/remote-state.ts';
import type { GivenReleases, ReleaseManagement } from './release-management.ts';
import { register, type SiteReleases } from './site-releases.ts';
import type { StoredRelease } from './store/release-store.ts';

/** In ms: how soon a change of another process is served. */
const pollInterval = 500;

/** The active releases as the log of the releases folder has them, in memory. */
export class ActiveReleases implements SiteReleases {
  readonly #management: ReleaseManagement;
  #generation: number | undefined;
  /** Of each remote, as the log had it at that generation of the store. */
  #states: ReadonlyMap<string, RemoteState> = new Map();
  #given: ReadonlyMap<string, GivenReleases> = new Map();
  #registries = new Map<string, Registry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(management: ReleaseManagement) {
    this.#management = management;
  }

  /**
   * Polls the log for changes that other processes make.
   *
   * @param onError called once when the log can't be read, until it can again
   */
  watch(onError: (error: unknown) => void): void {
    let failing = false;
    this.#timer = setInterval(() => {
      try {
        this.#management.log.refresh();
        if (this.#lacksActive()) this.#generation = undefined;
        failing = false;
      } catch (error) {
        if (!failing) onError(error);
        failing = true;
      }
    }, pollInterval).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
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
    const registry = { remotes, missing: this.#management.remotes.filter((name) => !given.has(name)) };
    this.#registries.set(key, registry);
    return registry;
  }

  hasCanary(): boolean {
    return [...this.#current().values()].some(({ canary }) => canary !== undefined);
  }

  find(name: string, version: string): StoredRelease | undefined {
    const { remotes, store } = this.#management;
    return remotes.includes(name) ? store.find(name, version) : undefined;
  }

  /** Whether a release before the active one stands in: the active one may have been stored again by another process. */
  #lacksActive(): boolean {
    const { remotes, log } = this.#management;
    return remotes.some((remote) => {
      const { active } = log.stateOf(remote);
      return active !== undefined && this.#given.get(remote)?.served.version !== active;
    });
  }

  /** What the log says, read anew only where it has changed. */
  #current(): ReadonlyMap<string, GivenReleases> {
    const { remotes, log, store } = this.#management;
    const { generation } = store;
    // By identity: a state is another object after each change, and after another log has been put in its place.
    const isSame = (remote: string) => log.stateOf(remote) === this.#states.get(remote);
    if (generation === this.#generation && remotes.every(isSame)) return this.#given;
    this.#generation = generation;
    this.#states = new Map(remotes.map((remote) => [remote, log.stateOf(remote)]));
    this.#registries = new Map();
    const given = remotes.map((remote) => [remote, this.#management.givenBy(remote)] as const);
    this.#given = new Map(given.flatMap(([remote, each]) => (each ? [[remote, each]] : [])));
    return this.#given;
  }
}
