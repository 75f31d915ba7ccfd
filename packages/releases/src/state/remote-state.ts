/** A part of the visitors that gets another release than all others: a share of them, or those with a link. */
export type Audience = 'canary' | 'preview';

/**
 * An entry of a remote's log: from now on an audience gets a release; who, why, when.
 *
 * `activate` gives a stored release to all visitors, `offer` to an audience until `end`; after `hold`, new releases are
 * stored and not activated, until `lift`.
 */
export interface Deployment {
  /** ISO 8601. */
  readonly at: string;
  readonly remote: string;
  /** One more than the remote's last one, which is the compare-and-set; a deployment with a different number is void. */
  readonly number: number;
  readonly action: 'activate' | 'offer' | 'end' | 'hold' | 'lift';
  /** The release that is activated or offered, or was offered until its `end`. */
  readonly version?: string;
  /** Of `offer` and `end`. */
  readonly audience?: Audience;
  /** Of a canary's offer: the share of visitors, 1 to 99. */
  readonly percent?: number;
  /** Of a preview's offer: the SHA-256 of the token in its link, in base64url. */
  readonly tokenHash?: string;
  /** Of a preview's offer: the time at which it ends; ISO 8601. */
  readonly endsAt?: string;
  /** Of a rollback, which is an `activate`: the release that it left, and that no later rollback returns to. */
  readonly left?: string;
  readonly why: string;
  readonly by: string;
}

/** The state of a remote after all its deployments. */
export interface RemoteState {
  /** Number of its last deployment. */
  readonly number: number;
  readonly active?: string;
  /** Whether new releases are stored and not activated. */
  readonly isHeld: boolean;
  /** The release that only a share of visitors gets: 1 to 99 percent of them; `since` is ISO 8601. */
  readonly canary?: { readonly version: string; readonly percent: number; readonly since: string };
  /** The release that only visitors with its link get, until its end. */
  readonly preview?: {
    readonly version: string;
    /** The SHA-256 of the token in the link. */
    readonly tokenHash: string;
    /** ISO 8601. */
    readonly endsAt: string;
  };
  /** Releases that a rollback left, and that were not activated on purpose since. */
  readonly left: ReadonlySet<string>;
  /** Each release that was active, with its last activation time; the latest last. */
  readonly activations: ReadonlyMap<string, string>;
}

export const initialState: RemoteState = { number: 0, isHeld: false, left: new Set(), activations: new Map() };

/** Returns the releases that were active before the active one and that no rollback left, the latest first. */
export const previousVersions = ({ active, activations, left }: RemoteState): readonly string[] =>
  [...activations.keys()].filter((version) => version !== active && !left.has(version)).reverse();

/** Returns the preview that visitors with its link get; `undefined` if there is none, or its time is over. */
export const runningPreview = ({ preview }: RemoteState, now = Date.now()): RemoteState['preview'] =>
  preview && Date.parse(preview.endsAt) > now ? preview : undefined;

/** Ends the canary; and the preview, if it is of the activated release or the activation is a rollback. */
function activated(state: RemoteState, { version = '', left, at }: Deployment): RemoteState {
  const { canary: _, preview, ...rest } = state;
  const activations = new Map(state.activations);
  if (state.active !== version) {
    activations.delete(version);
    activations.set(version, at);
  }
  const allLeft = new Set(state.left);
  if (left !== undefined) allLeft.add(left);
  allLeft.delete(version);
  const staysPreviewed = preview && left === undefined && preview.version !== version;
  return { ...rest, ...(staysPreviewed ? { preview } : {}), active: version, activations, left: allLeft };
}

function offered(
  state: RemoteState,
  { version = '', audience, percent = 0, tokenHash = '', endsAt = '', at }: Deployment,
) {
  return audience === 'canary'
    ? { ...state, canary: { version, percent, since: at } }
    : { ...state, preview: { version, tokenHash, endsAt } };
}

function ended(state: RemoteState, { audience }: Deployment): RemoteState {
  const { canary, preview, ...rest } = state;
  return audience === 'canary' ? { ...rest, ...(preview && { preview }) } : { ...rest, ...(canary && { canary }) };
}

function applied(state: RemoteState, deployment: Deployment): RemoteState {
  switch (deployment.action) {
    case 'activate':
      return activated(state, deployment);
    case 'offer':
      return offered(state, deployment);
    case 'end':
      return ended(state, deployment);
    case 'hold':
      return { ...state, isHeld: true };
    case 'lift':
      return { ...state, isHeld: false };
    default:
      // By a server of another version, during an update: only its number counts.
      return state;
  }
}

/** Applies a deployment to a state; one that was decided on a different state is void. */
export function reduce(state: RemoteState, deployment: Deployment): RemoteState {
  if (deployment.number !== state.number + 1) return state;
  return { ...applied(state, deployment), number: deployment.number };
}
