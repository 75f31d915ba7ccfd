import type { Release } from '@daybook/contract';
import type { ReleaseLog } from './log/release-log.ts';
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
