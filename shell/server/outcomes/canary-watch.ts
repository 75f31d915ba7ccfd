import { ConflictError } from '../releases/log/release-log.ts';
import type { ReleaseManagement } from '../releases/release-management.ts';
import { type CanaryAnalysis, describeResult } from './canary-analysis.ts';

/** In ms. */
const pollInterval = 1_000;

/**
 * Rolls back canaries that were started with `--auto` when they fail significantly more often than the active release,
 * and says why in the log.
 *
 * @returns stops the watch
 */
export function watchCanaries(
  { remotes, log, changes }: ReleaseManagement,
  analysis: CanaryAnalysis,
  onError: (error: unknown) => void,
): () => void {
  const timer = setInterval(() => {
    for (const remote of remotes) {
      const state = log.stateOf(remote);
      // Without a canary, this drops the counts of the last one.
      const result = analysis.resultOf(remote);
      if (!state.canary?.auto || !result?.isWorse) continue;
      try {
        changes.rollback(remote, { by: 'canary watch', why: describeResult(result), seen: state.revision });
      } catch (error) {
        // Another server or an operator was first; the next poll sees what is left to do.
        if (!(error instanceof ConflictError)) onError(error);
      }
    }
  }, pollInterval).unref();
  return () => clearInterval(timer);
}
