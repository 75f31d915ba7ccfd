import { type FailureKind, failureKinds } from '@daybook/contract/page';
import type { Metrics } from './metrics.ts';

/** Page views and failures of each release on this server, since it started. */
export class Counts {
  /** ISO 8601. */
  readonly since = new Date().toISOString();
  readonly #metrics: Pick<Metrics, 'views' | 'failures' | 'failingNetworks'>;
  readonly #releases = new Map<string, { views: number; failures: number }>();

  constructor(metrics: Pick<Metrics, 'views' | 'failures' | 'failingNetworks'>) {
    this.#metrics = metrics;
  }

  of(remote: string, version: string): { readonly views: number; readonly failures: number } {
    return this.#releases.get(`${remote}@${version}`) ?? { views: 0, failures: 0 };
  }

  countView(remote: string, version: string): void {
    this.#counted(remote, version).views += 1;
    this.#metrics.views.inc({ remote, version });
  }

  /** A failed hydration counts in the metrics only: the page was rendered again and works. */
  countFailure(remote: string, version: string, kind: FailureKind, isNewNetwork: boolean): void {
    this.#counted(remote, version).failures += kind === 'hydration' ? 0 : 1;
    this.#metrics.failures.inc({ remote, version, kind });
    if (isNewNetwork) this.#metrics.failingNetworks.inc({ remote, version, kind });
  }

  #counted(remote: string, version: string) {
    const key = `${remote}@${version}`;
    const known = this.#releases.get(key);
    if (known) return known;
    // From 0: Prometheus sees no increase in a counter that begins with 1.
    for (const kind of failureKinds)
      for (const counter of ['failures', 'failingNetworks'] as const)
        this.#metrics[counter].inc({ remote, version, kind }, 0);
    const counted = { views: 0, failures: 0 };
    this.#releases.set(key, counted);
    return counted;
  }
}
