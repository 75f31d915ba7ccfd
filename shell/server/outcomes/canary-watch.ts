import { ConflictError } from '../releases/log/release-log.ts';
import type { Canary } from '../releases/log/remote-state.ts';
import type { ReleaseManagement } from '../releases/release-management.ts';
import type { Outcome, ReleaseOutcomes } from './release-outcomes.ts';

/** When a canary that may be ended automatically is: above this share of failed page views … */
export const failureThreshold = 0.05;
/** … but not before so many failures were reported … */
export const fewestFailures = 3;
/** … and so many pages were served. */
export const fewestViews = 20;

/** How often it is looked at, in ms. */
const watchInterval = 1_000;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

const nothing: Outcome = { views: 0, failures: 0 };

/** What happened to the pages of a remote's canary since it began, by this server's own counts and not by anybody's clock. */
class CanaryCount {
  readonly #outcomes: ReleaseOutcomes;
  /** When the canary that is counted began; it is another one at another time. */
  #since: string | undefined;
  #before = nothing;
  /** The totals of the remote's kept releases at the last look. */
  #lastTotals: ReadonlyMap<string, Outcome> = new Map();

  constructor(outcomes: ReleaseOutcomes) {
    this.#outcomes = outcomes;
  }

  /** Looks at the remote; to be called again and again, whether a canary runs or not. */
  look(remote: string, canary: Canary | undefined, versions: readonly string[]): Outcome {
    if (canary && canary.since !== this.#since) this.#before = this.#lastTotals.get(canary.version) ?? nothing;
    this.#since = canary?.since;
    this.#lastTotals = new Map(versions.map((version) => [version, this.#outcomes.total(remote, version)]));
    if (!canary) return nothing;
    const { views, failures } = this.#outcomes.total(remote, canary.version);
    return { views: views - this.#before.views, failures: failures - this.#before.failures };
  }
}

/** Why a canary has to be ended; `undefined` where it need not. */
function reasonToEnd({ views, failures }: Outcome): string | undefined {
  const share = failures / views;
  if (views < fewestViews || failures < fewestFailures || share <= failureThreshold) return undefined;
  return `${failures} of ${views} page views failed: ${percent(share)}, more than ${percent(failureThreshold)}`;
}

/**
 * Ends canaries that were started with `--auto` when they fail more often than they may, and says why in the log.
 *
 * @returns ends the watch
 */
export function watchCanaries(
  { remotes, store, log, changes }: ReleaseManagement,
  outcomes: ReleaseOutcomes,
  onError: (error: unknown) => void,
): () => void {
  const counts = new Map(remotes.map((remote) => [remote, new CanaryCount(outcomes)]));
  const timer = setInterval(() => {
    for (const [remote, count] of counts) {
      const state = log.stateOf(remote);
      const versions = store.releasesOf(remote).map(({ release }) => release.version);
      const since = count.look(remote, state.canary, versions);
      const why = state.canary?.auto ? reasonToEnd(since) : undefined;
      try {
        if (why) changes.rollback(remote, { by: 'canary watch', why, seen: state.revision });
      } catch (error) {
        // Another server or an operator was first; the next look sees what is left to do.
        if (!(error instanceof ConflictError)) onError(error);
      }
    }
  }, watchInterval).unref();
  return () => clearInterval(timer);
}
