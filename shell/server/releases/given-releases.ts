import type { Release } from '@daybook/contract';
import type { ReleaseManagement } from './release-management.ts';

/** What a remote gives to visitors: its release, and the canary that some get instead. */
export interface GivenReleases {
  /** The active release; the one before it where that is lost or damaged. */
  readonly served: Release;
  readonly canary?: { readonly release: Release; readonly percent: number };
  /** The one before, where that does not stand in already. */
  readonly previous?: Release;
}

/** What a remote gives to visitors as log and store are at this moment; `undefined` where it has nothing to give. */
export function givenBy(
  remote: string,
  { store, log, changes }: Pick<ReleaseManagement, 'store' | 'log' | 'changes'>,
): GivenReleases | undefined {
  const { active, canary } = log.stateOf(remote);
  const previous = changes.previousOf(remote)?.release;
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
