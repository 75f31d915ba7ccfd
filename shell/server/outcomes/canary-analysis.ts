import { ConflictError } from '../releases/log/release-log.ts';
import type { Canary } from '../releases/log/remote-state.ts';
import type { ReleaseManagement } from '../releases/release-management.ts';
import type { ReleaseCounts } from './release-stats.ts';
import type { ReportNonce, ReportNonces } from './report-nonces.ts';

/** Probability, at most, that a canary that fails no more often than the active release is ever rolled back. */
const falsePositiveRate = 1 / 1_000;

/** Alternative hypotheses, weighted equally: the canary fails this many times as often. */
const failureRatios = [2, 4, 8, 16, 32, 64];

/** Networks with a failure of the canary that are assumed to be forged. */
const toleratedForgers = 3;

/** Max networks remembered for each canary, and as many with a failure; about 5 MB in total. */
const maxNetworks = 20_000;

/**
 * Returns how much more likely the failures are if the canary fails more often than if both releases fail equally often:
 * a mixture of sequential probability ratio tests.
 *
 * Visitors are assigned to the canary at random. So if both fail equally often, each failure is the canary's with a
 * probability of `share`, independent of the failure rate and the number of views. Then the probability that this value
 * ever reaches 1 / α is at most α (Ville's inequality), so it may be checked after every failure.
 *
 * @param share of visitors that get the canary, from 0 to 1
 */
export function evidenceAgainstCanary(canaryFailures: number, activeFailures: number, share: number): number {
  const failures = canaryFailures + activeFailures;
  const likelihoodRatios = failureRatios.map((ratio) =>
    Math.exp(canaryFailures * Math.log(ratio) - failures * Math.log(1 - share + share * ratio)),
  );
  return likelihoodRatios.reduce((sum, each) => sum + each, 0) / failureRatios.length;
}

/** Counts since a canary started, each network counted once. */
export interface CanaryResult {
  readonly canary: ReleaseCounts;
  readonly active: ReleaseCounts;
  /** Whether the canary fails significantly more often than the active release. */
  readonly isWorse: boolean;
}

const describeCounts = ({ views, failures }: ReleaseCounts): string =>
  `${failures} of ${views} networks (${((failures / Math.max(1, views)) * 100).toFixed(1)} %)`;

/** Returns the rest of a sentence that begins with “the canary …”, for the log and the operator's page. */
export const describeResult = ({ canary, active }: CanaryResult): string =>
  `failed for ${describeCounts(canary)}, the active release for ${describeCounts(active)}`;

/**
 * The counts of one canary. A network belongs to the release that it viewed first, or to the one that failed first:
 * random assignment of visitors makes the release of a network's first failure random too.
 */
class CanaryCounts {
  readonly of: Canary;
  readonly #canary = { views: 0, failures: 0 };
  readonly #active = { views: 0, failures: 0 };
  readonly #versionOf = new Map<string, string>();
  readonly #failed = new Set<string>();

  constructor(of: Canary) {
    this.of = of;
  }

  countView(version: string, { network }: ReportNonce): void {
    if (this.#failed.has(network) || this.#versionOf.has(network)) return;
    this.#versionOf.set(network, version);
    this.#countsOf(version).views += 1;
    const [oldest] = this.#versionOf.keys();
    // Only views are dropped: a flood of networks can't erase failures.
    if (this.#versionOf.size > maxNetworks && oldest !== undefined) this.#versionOf.delete(oldest);
  }

  /** Returns `false` if the failure was not counted because too many networks had one. */
  countFailure(version: string, { network }: ReportNonce): boolean {
    if (this.#failed.has(network)) return true;
    if (this.#failed.size >= maxNetworks) return false;
    // The view was perhaps another replica's, or within the site, where no page is composed.
    const viewed = this.#versionOf.get(network);
    if (viewed !== undefined) this.#countsOf(viewed).views -= 1;
    this.#countsOf(version).views += 1;
    this.#versionOf.delete(network);
    this.#failed.add(network);
    this.#countsOf(version).failures += 1;
    return true;
  }

  result(): CanaryResult {
    const failures = Math.max(0, this.#canary.failures - toleratedForgers);
    const evidence = evidenceAgainstCanary(failures, this.#active.failures, this.of.percent / 100);
    return { canary: { ...this.#canary }, active: { ...this.#active }, isWorse: evidence >= 1 / falsePositiveRate };
  }

  #countsOf(version: string) {
    return version === this.of.version ? this.#canary : this.#active;
  }
}

/**
 * Compares running canaries with the active releases in the same period, by this server's counts since each canary
 * started. The unit is a client network with its first failure, so that no client counts more than once.
 */
export class CanaryAnalysis {
  readonly nonces: ReportNonces;
  readonly #canaryOf: (remote: string) => Canary | undefined;
  readonly #counts = new Map<string, CanaryCounts>();

  /**
   * @param nonces for reports by visitors of the canary and of the active release
   * @param canaryOf returns the running canary of a remote
   */
  constructor(nonces: ReportNonces, canaryOf: (remote: string) => Canary | undefined) {
    this.nonces = nonces;
    this.#canaryOf = canaryOf;
  }

  /** Returns the counts of a remote's running canary; `undefined` while none runs. */
  countsOf(remote: string): CanaryCounts | undefined {
    const canary = this.#canaryOf(remote);
    const known = this.#counts.get(remote);
    if (known && known.of.since === canary?.since && known.of.version === canary.version) return known;
    this.#counts.delete(remote);
    if (!canary) return undefined;
    const counts = new CanaryCounts(canary);
    this.#counts.set(remote, counts);
    return counts;
  }
}

/** In ms. */
const pollInterval = 1_000;

/**
 * Rolls back canaries that were started with `--auto` when they fail significantly more often than the active release,
 * and logs the reason.
 *
 * @param onRolledBack called with the remote on the server that rolled its canary back
 * @returns stops the watch
 */
export function watchCanaries(
  management: ReleaseManagement,
  analysis: CanaryAnalysis,
  onError: (error: unknown) => void,
  onRolledBack: (remote: string) => void,
): () => void {
  const { remotes, log } = management;
  const timer = setInterval(() => {
    for (const remote of remotes) {
      const state = log.stateOf(remote);
      // Without a canary, this drops the counts of the last one.
      const result = analysis.countsOf(remote)?.result();
      if (!state.canary?.auto || !result?.isWorse) continue;
      try {
        management.rollback(remote, { by: 'canary watch', why: describeResult(result), seen: state.revision });
        onRolledBack(remote);
      } catch (error) {
        // Another server or an operator was first; the next poll handles the rest.
        if (!(error instanceof ConflictError)) onError(error);
      }
    }
  }, pollInterval).unref();
  return () => clearInterval(timer);
}
