/**
 * One change of a remote's releases, as the registry stores it.
 *
 * `activate` makes a release the active one; `replace` does the same for an operator, and `from` does not come back by
 * itself; `rollback` replaces `from` and withdraws it, `pin` activates and holds a release, `unpin` lets newer ones become
 * active again, `canary` serves a release to some visitors, `preview` to those with its link, until `end-preview`.
 */
export interface ReleaseChange {
  /** ISO 8601. */
  readonly at: string;
  readonly remote: string;
  /** One more than the remote's last change; a change with a different number is void. */
  readonly revision: number;
  readonly action: 'activate' | 'replace' | 'rollback' | 'pin' | 'unpin' | 'canary' | 'preview' | 'end-preview';
  /** The release that was active, or is rolled back; `null` before the first. */
  readonly from: string | null;
  /** The release that is active from now on; for a canary or a preview, the one served to some visitors. */
  readonly to: string;
  /** Of a canary: the share of visitors, 1 to 99. */
  readonly percent?: number;
  /** Of a preview: the SHA-256 of the token in its link, in base64url. */
  readonly tokenHash?: string;
  /** Of a preview: the time at which it ends; ISO 8601. */
  readonly endsAt?: string;
  readonly why: string;
  readonly by: string;
}

/** The state of a remote after all its changes. */
export interface RemoteState {
  /** Number of its last change. */
  readonly revision: number;
  readonly active?: string;
  readonly pinned: boolean;
  /** The release that only a share of visitors gets: 1 to 99 percent of them; `since` is ISO 8601. */
  readonly canary?: { readonly version: string; readonly percent: number; readonly since: string };
  /** The last release that only visitors with its link get: an origin may offer it again after its end, or an earlier one. */
  readonly preview?: {
    readonly version: string;
    /** The SHA-256 of the token in the link. */
    readonly tokenHash: string;
    /** ISO 8601. */
    readonly endsAt: string;
    /** Whether it was ended, or its release was activated, before its time. */
    readonly isOver: boolean;
  };
  /**
   * Releases that are not activated automatically. The invariant: a release is activated automatically only while its
   * origin offers it, and never after it was rolled back, or was a canary or a preview, until an operator activates it.
   */
  readonly withdrawn: ReadonlySet<string>;
  /**
   * Releases in whose place an operator has activated others. Their origins may still offer them, so they are not
   * activated automatically either; but unlike withdrawn ones, they were good, and are the first to roll back to.
   */
  readonly replaced: ReadonlySet<string>;
  /** Each release that was active, with its last activation time; the latest last. */
  readonly activations: ReadonlyMap<string, string>;
}

export const initialState: RemoteState = {
  revision: 0,
  pinned: false,
  withdrawn: new Set(),
  replaced: new Set(),
  activations: new Map(),
};

/** Returns the releases that were active before the active one and are not withdrawn, the latest first. */
export const previousVersions = ({ active, activations, withdrawn }: RemoteState): readonly string[] =>
  [...activations.keys()].filter((version) => version !== active && !withdrawn.has(version)).reverse();

/** Returns whether a release may become active only by an operator's decision. */
export const needsOperator = ({ withdrawn, replaced }: RemoteState, version: string): boolean =>
  withdrawn.has(version) || replaced.has(version);

/** Returns the preview that visitors with its link get; `undefined` if it is over. */
export const runningPreview = ({ preview }: RemoteState, now = Date.now()): RemoteState['preview'] =>
  preview && !preview.isOver && Date.parse(preview.endsAt) > now ? preview : undefined;

const without = (versions: ReadonlySet<string>, version: string): ReadonlySet<string> =>
  new Set([...versions].filter((each) => each !== version));

/** Activates a release for all visitors: it is no longer withdrawn, the canary is over, and its own preview. */
function withActive(state: RemoteState, version: string, at: string): RemoteState {
  const { canary: _, ...rest } = state;
  const activations = new Map(state.activations);
  if (state.active !== version) {
    activations.delete(version);
    activations.set(version, at);
  }
  return {
    ...rest,
    active: version,
    activations,
    withdrawn: without(state.withdrawn, version),
    replaced: without(state.replaced, version),
    ...(state.preview?.version === version ? { preview: { ...state.preview, isOver: true } } : {}),
  };
}

/** Returns the state after a change. */
function applied(state: RemoteState, change: ReleaseChange): RemoteState {
  const { at, action, from, to } = change;
  switch (action) {
    case 'activate':
      return withActive(state, to, at);
    case 'replace': {
      const after = withActive(state, to, at);
      return { ...after, replaced: from && from !== to ? new Set(after.replaced).add(from) : after.replaced };
    }
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
    case 'preview': {
      const { tokenHash = '', endsAt = at } = change;
      // Like a canary's.
      const withdrawn = new Set(state.withdrawn).add(to);
      return { ...state, preview: { version: to, tokenHash, endsAt, isOver: false }, withdrawn };
    }
    case 'end-preview':
      return state.preview ? { ...state, preview: { ...state.preview, isOver: true } } : state;
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
