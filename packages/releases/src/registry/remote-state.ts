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

/** A decided deployment; the registry adds its time. */
export type NewDeployment = Omit<Deployment, 'at'>;

/** The state of a remote after all its deployments. */
export interface RemoteState {
  /** Number of its last deployment. */
  readonly number: number;
  readonly active?: string;
  /** Who holds it: new releases are stored and not activated. */
  readonly heldBy?: string;
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

export const initialState: RemoteState = { number: 0, left: new Set(), activations: new Map() };

/** Returns the releases that were active before the active one and that no rollback left, the latest first. */
export const previousVersions = ({ active, activations, left }: RemoteState): readonly string[] =>
  [...activations.keys()].filter((version) => version !== active && !left.has(version)).reverse();

/** Returns the preview that visitors with its link get; `undefined` if there is none, or its time is over. */
export const runningPreview = ({ preview }: RemoteState, now = Date.now()): RemoteState['preview'] =>
  preview && Date.parse(preview.endsAt) > now ? preview : undefined;

/** A state that is being made: one for a whole log, since a copy for each of its deployments would take quadratic time. */
type Draft = {
  -readonly [Key in keyof Omit<RemoteState, 'left' | 'activations'>]: RemoteState[Key];
} & { left: Set<string>; activations: Map<string, string> };

/** Ends the canary; and the preview, if it is of the activated release or the activation is a rollback. */
function activate(draft: Draft, { version = '', left, at }: Deployment): void {
  delete draft.canary;
  if (left !== undefined || draft.preview?.version === version) delete draft.preview;
  if (draft.active !== version) {
    // The latest last.
    draft.activations.delete(version);
    draft.activations.set(version, at);
  }
  if (left !== undefined) draft.left.add(left);
  draft.left.delete(version);
  draft.active = version;
}

function offer(
  draft: Draft,
  { version = '', audience, percent = 0, tokenHash = '', endsAt = '', at }: Deployment,
): void {
  if (audience === 'canary') draft.canary = { version, percent, since: at };
  else draft.preview = { version, tokenHash, endsAt };
}

function apply(draft: Draft, deployment: Deployment): void {
  switch (deployment.action) {
    case 'activate':
      activate(draft, deployment);
      break;
    case 'offer':
      offer(draft, deployment);
      break;
    case 'end':
      delete draft[deployment.audience ?? 'canary'];
      break;
    case 'hold':
      draft.heldBy = deployment.by;
      break;
    case 'lift':
      delete draft.heldBy;
      break;
    // Else by a server of another version, during an update: only its number counts.
  }
}

/** Applies deployments to a state, in their order; one that was decided on a different state is void. */
export function reduce(state: RemoteState, deployments: readonly Deployment[]): RemoteState {
  if (!deployments.some(({ number }) => number > state.number)) return state;
  const draft: Draft = { ...state, left: new Set(state.left), activations: new Map(state.activations) };
  for (const deployment of deployments) {
    if (deployment.number !== draft.number + 1) continue;
    apply(draft, deployment);
    draft.number = deployment.number;
  }
  return draft.number === state.number ? state : draft;
}
