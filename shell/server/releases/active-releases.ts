import type { RegisteredRemote, Registry } from '@daybook/contract/release';
import type { RemoteState } from './log/remote-state.ts';
import type { ReleaseManagement, ServedReleases } from './release-management.ts';
import { register, type SiteReleases } from './site-releases.ts';
import type { StoredRelease } from './store/release-store.ts';

/** In ms: the delay until a change by another process is served. */
const pollInterval = 500;

/** The active releases according to the log of the releases folder, cached in memory. */
export class ActiveReleases implements SiteReleases {
  readonly #management: ReleaseManagement;
  #generation: number | undefined;
  /** The state of each remote in the log at that generation of the store. */
  #states: ReadonlyMap<string, RemoteState> = new Map();
  #served: ReadonlyMap<string, ServedReleases> = new Map();
  #registries = new Map<string, Registry>();
  #timer: NodeJS.Timeout | undefined;

  constructor(management: ReleaseManagement) {
    this.#management = management;
  }

  /**
   * Polls the log for changes by other processes.
   *
   * @param onError called when the log can't be read; not repeated until it could be read again
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
    const current = this.#current();
    const chosen = [...current].map(([name, { served, canary, previous }]) => {
      const inCanary = canary !== undefined && bucket < canary.percent;
      return { name, release: inCanary ? canary.release : served, fallback: inCanary ? served : previous };
    });
    const key = chosen.map(({ release }) => release.version).join();
    const known = this.#registries.get(key);
    if (known) return known;
    const remotes = chosen.map(({ release, fallback }): RegisteredRemote => register(release, fallback));
    const registry = { remotes, missing: this.#management.remotes.filter((name) => !current.has(name)) };
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

  /** Returns whether an active release is replaced by its fallback: another process may have stored it again. */
  #lacksActive(): boolean {
    const { remotes, log } = this.#management;
    return remotes.some((remote) => {
      const { active } = log.stateOf(remote);
      return active !== undefined && this.#served.get(remote)?.served.version !== active;
    });
  }

  /** Returns the served releases; recomputed only after a change. */
  #current(): ReadonlyMap<string, ServedReleases> {
    const { remotes, log, store } = this.#management;
    const { generation } = store;
    // By identity: each change, and each replacement of the log, creates new state objects.
    const isSame = (remote: string) => log.stateOf(remote) === this.#states.get(remote);
    if (generation === this.#generation && remotes.every(isSame)) return this.#served;
    this.#generation = generation;
    this.#states = new Map(remotes.map((remote) => [remote, log.stateOf(remote)]));
    this.#registries = new Map();
    const served = remotes.map((remote) => [remote, this.#management.servedBy(remote)] as const);
    this.#served = new Map(served.flatMap(([remote, each]) => (each ? [[remote, each]] : [])));
    return this.#served;
  }
}
