import type { ReleaseChange } from './release-change.ts';

/** A release that some visitors get before all others do. */
export interface Canary {
  readonly version: string;
  /** The share of visitors, 1 to 99. */
  readonly percent: number;
  /** Whether the server may end it by itself. */
  readonly auto: boolean;
  /** When it began. */
  readonly since: string;
}

/** What a remote's changes add up to. */
export interface RemoteState {
  /** Number of its last change. */
  readonly revision: number;
  readonly active?: string;
  readonly pinned: boolean;
  readonly canary?: Canary;
  /** Releases that were taken back: never activated by themselves again. */
  readonly withdrawn: ReadonlySet<string>;
  /** Each release that was active, with the moment it last became so; the latest last. */
  readonly activations: ReadonlyMap<string, string>;
}

export const initialState: RemoteState = {
  revision: 0,
  pinned: false,
  withdrawn: new Set(),
  activations: new Map(),
};

const without = <Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> =>
  new Set([...values].filter((each) => each !== value));

/** Whoever gives a release to all takes it for good: it is no longer withdrawn, and nobody gets a canary instead. */
function withActive(state: RemoteState, version: string, at: string): RemoteState {
  const { canary: _, ...rest } = state;
  const activations = new Map(state.activations);
  if (state.active !== version) {
    activations.delete(version);
    activations.set(version, at);
  }
  return { ...rest, active: version, activations, withdrawn: without(state.withdrawn, version) };
}

/** The state after a change. */
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
      const { percent = 0, auto = false } = change;
      return { ...state, canary: { version: to, percent, auto, since: at }, withdrawn: without(state.withdrawn, to) };
    }
  }
}

/** Adds a change to a state; one that was made from another state than this is void and changes nothing. */
export function reduce(state: RemoteState, change: ReleaseChange): RemoteState {
  if (change.revision !== state.revision + 1) return state;
  return { ...applied(state, change), revision: change.revision };
}
