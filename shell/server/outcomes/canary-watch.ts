import { ConflictError } from '../releases/log/release-log.ts';
import type { RemoteState } from '../releases/log/remote-state.ts';
import type { ReleaseManagement } from '../releases/release-management.ts';
import type { ReleaseOutcomes } from './release-outcomes.ts';

/** When a canary that may be ended automatically is: above this share of failed page views … */
export const failureThreshold = 0.05;
/** … but not before so many failures were reported … */
export const fewestFailures = 3;
/** … and so many pages were served. */
export const fewestViews = 20;

/** How often it is looked at, in ms. */
const watchInterval = 1_000;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Why a canary has to be ended; `undefined` where it need not. */
function reasonToEnd(remote: string, { canary }: RemoteState, outcomes: ReleaseOutcomes): string | undefined {
  if (!canary?.auto) return undefined;
  const { views, failures } = outcomes.since(remote, canary.version, Date.parse(canary.since));
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
  { remotes, log, changes }: ReleaseManagement,
  outcomes: ReleaseOutcomes,
  onError: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    for (const remote of remotes) {
      const state = log.stateOf(remote);
      const why = reasonToEnd(remote, state, outcomes);
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
