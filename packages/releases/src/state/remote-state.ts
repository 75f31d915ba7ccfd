/**
 * One change of a remote's releases, as the registry stores it.
 *
 * `activate` makes a release the active one, `rollback` replaces `from` and withdraws it, `pin` activates and holds a
 * release, `unpin` lets newer ones become active again, `canary` serves a release to some visitors.
 */
export interface ReleaseChange {
  /** ISO 8601. */
  readonly at: string;
  readonly remote: string;
  /** One more than the remote's last change; a change with a different number is void. */
  readonly revision: number;
  readonly action: 'activate' | 'rollback' | 'pin' | 'unpin' | 'canary';
  /** The release that was active, or is rolled back; `null` before the first. */
  readonly from: string | null;
  /** The release that is active from now on; for a canary, the one served to some visitors. */
  readonly to: string;
  /** Of a canary: the share of visitors, 1 to 99. */
  readonly percent?: number;
  readonly why: string;
  readonly by: string;
}

/** A release that only a share of visitors gets. */
export interface Canary {
  readonly version: string;
  /** The share of visitors, 1 to 99. */
  readonly percent: number;
  /** Start time. */
  readonly since: string;
}

/** The state of a remote after all its changes. */
export interface RemoteState {
  /** Number of its last change. */
  readonly revision: number;
  readonly active?: string;
  readonly pinned: boolean;
  readonly canary?: Canary;
  /**
   * Releases that are not activated automatically. The invariant: a release is activated automatically only while its
   * origin offers it, and never after it was rolled back or was a canary, until an operator promotes it.
   */
  readonly withdrawn: ReadonlySet<string>;
  /** Each release that was active, with its last activation time; the latest last. */
  readonly activations: ReadonlyMap<string, string>;
}

export const initialState: RemoteState = {
  revision: 0,
  pinned: false,
  withdrawn: new Set(),
  activations: new Map(),
};

/** Returns the releases that were active before the active one and are not withdrawn, the latest first. */
export const previousVersions = ({ active, activations, withdrawn }: RemoteState): readonly string[] =>
  [...activations.keys()].filter((version) => version !== active && !withdrawn.has(version)).reverse();

/** Activates a release for all visitors: it is no longer withdrawn, and the canary is over. */
function withActive(state: RemoteState, version: string, at: string): RemoteState {
  const { canary: _, ...rest } = state;
  const activations = new Map(state.activations);
  if (state.active !== version) {
    activations.delete(version);
    activations.set(version, at);
  }
  const withdrawn = new Set(state.withdrawn);
  withdrawn.delete(version);
  return { ...rest, active: version, activations, withdrawn };
}

/** Returns the state after a change. */
function applied(state: RemoteState, change: ReleaseChange): RemoteState {
  const { at, action, from, to } = change;
  switch (action) {
    case 'activate':
      return withActive(state, to, at);
    case 'rollback': {
      const after = withActive(state, to, at);
      return { ...after, withdrawn: from ? new Set(after.withdrawn).add(from) : after.withdrawn };
    }
    case 'pin':
      return { ...withActive(state, to, at), pinned: true };
    case 'unpin':
      return { ...state, pinned: false };
    case 'canary': {
      const { percent = 0 } = change;
      // Withdrawn from the start, not when the canary ends: no way of ending it can miss that. Only `withActive` lifts it.
      const withdrawn = new Set(state.withdrawn).add(to);
      return { ...state, canary: { version: to, percent, since: at }, withdrawn };
    }
    default:
      // By a server of another version, during an update: only its number counts.
      return state;
  }
}

/** Applies a change to a state; a change made from a different state is void. */
export function reduce(state: RemoteState, change: ReleaseChange): RemoteState {
  if (change.revision !== state.revision + 1) return state;
  return { ...applied(state, change), revision: change.revision };
}
