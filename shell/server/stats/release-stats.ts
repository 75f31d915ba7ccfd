import { type FailureKind, failureKinds } from '@daybook/contract/page';
import type { Counter } from 'prom-client';
import type { CountedInterval, SiteRegistry } from '../registry/site-registry.ts';

/** In ms: counts are stored by intervals of five minutes, for a week. */
const interval = 5 * 60_000;
const retention = 7 * 24 * 60 * 60_000;

/** In ms: how often the counts are stored, where all shell servers add up theirs. */
const storeInterval = 5_000;

/** Views and failures of a release's pages within a period. */
export interface PeriodCounts {
  readonly views: number;
  /** Reported failures, at most one per client network, remote and minute. */
  readonly failures: number;
}

type EventCounters = Readonly<Record<'views' | 'failures' | 'failingNetworks', Pick<Counter, 'inc'>>>;

const intervalOf = (moment: number) => Math.floor(moment / interval) * interval;
const sumOf = (counts: readonly PeriodCounts[]): PeriodCounts => ({
  views: counts.reduce((sum, { views }) => sum + views, 0),
  failures: counts.reduce((sum, { failures }) => sum + failures, 0),
});

/**
 * Returns the counts of a release since a moment, at most a week ago. Includes the whole interval of the moment: up to five
 * minutes more.
 *
 * @param counts those of all releases
 * @param moment in ms since the epoch
 */
export const countsSince = (
  counts: readonly CountedInterval[],
  { remote, version }: Pick<CountedInterval, 'remote' | 'version'>,
  moment: number,
): PeriodCounts =>
  sumOf(counts.filter((each) => each.remote === remote && each.version === version && each.at + interval > moment));

/** Counts page views and failures of each release, and adds them to those of the other shell servers. */
export class ReleaseStats {
  readonly #registry: Pick<SiteRegistry, 'addCounts' | 'counts'>;
  readonly #metrics: EventCounters;
  /** Counts of this server that are not stored yet. */
  #pending = new Map<string, CountedInterval>();
  /** The stored ones of each remote, when they were last read. */
  readonly #stored = new Map<string, readonly CountedInterval[]>();
  readonly #seen = new Set<string>();
  #storing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  /** @param metrics also count each event */
  constructor(registry: Pick<SiteRegistry, 'addCounts' | 'counts'>, metrics: EventCounters) {
    this.#registry = registry;
    this.#metrics = metrics;
  }

  /** Stores the counts every few seconds until `stop()`. */
  start(): void {
    this.#timer = setInterval(() => void this.#storePending(), storeInterval).unref();
  }

  /** Stores what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#storePending();
  }

  countView(remote: string, version: string): void {
    this.#count(remote, version, { views: 1, failures: 0 });
    this.#metrics.views.inc({ remote, version });
  }

  /**
   * Counts a failure. A page that failed to hydrate was rendered again and works: only the metrics count it, not the
   * release's failures.
   *
   * @param isNewNetwork whether no earlier one of the hour came from the same network
   */
  countFailure(remote: string, version: string, kind: FailureKind, isNewNetwork: boolean): void {
    this.#count(remote, version, { views: 0, failures: kind === 'hydration' ? 0 : 1 });
    this.#metrics.failures.inc({ remote, version, kind });
    if (isNewNetwork) this.#metrics.failingNetworks.inc({ remote, version, kind });
  }

  /** Returns the counts of these remotes on all servers; while they can't be read, what this server knows of them. */
  async read(remotes: readonly string[]): Promise<readonly CountedInterval[]> {
    await this.#storePending();
    for (const remote of remotes)
      await this.#registry.counts(remote, Date.now() - retention).then(
        (counts) => this.#stored.set(remote, counts),
        // The snapshot reports the failure.
        () => undefined,
      );
    return [...[...this.#stored.values()].flat(), ...this.#pending.values()];
  }

  #count(remote: string, version: string, { views, failures }: PeriodCounts): void {
    const at = intervalOf(Date.now());
    const release = `${remote}@${version}`;
    // From 0: Prometheus sees no increase in a counter that begins with 1.
    if (!this.#seen.has(release))
      for (const kind of failureKinds)
        for (const counter of ['failures', 'failingNetworks'] as const)
          this.#metrics[counter].inc({ remote, version, kind }, 0);
    this.#seen.add(release);
    this.#add({ remote, version, at, views, failures });
  }

  #add({ remote, version, at, views, failures }: CountedInterval): void {
    const key = `${remote}@${version} ${at}`;
    const known = this.#pending.get(key) ?? { views: 0, failures: 0 };
    const sum = sumOf([known, { views, failures }]);
    this.#pending.set(key, { remote, version, at, ...sum });
  }

  #storePending(): Promise<void> {
    this.#storing = this.#storing.then(async () => {
      const stored = this.#pending;
      if (stored.size === 0) return;
      this.#pending = new Map();
      const oldest = Date.now() - retention;
      await this.#registry.addCounts([...stored.values()], oldest).catch(() => {
        // Stored later, together with what was counted meanwhile.
        for (const each of stored.values()) if (each.at > oldest) this.#add(each);
      });
    });
    return this.#storing;
  }
}
