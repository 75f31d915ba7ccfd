import { readManifest } from '@daybook/contract/manifest';
import {
  type Change,
  type Changed,
  pathConflicts,
  type Release,
  redirectProblems,
  type State,
} from '@daybook/contract/release';
import { historyOf, nextState } from '../releases/state.ts';
import type { StoreChange } from '../releases/store-change.ts';
import { ReleasesError } from './errors.ts';
import { changeSentences } from './sentences.ts';
import type { TokenHolder } from './tokens.ts';

type States = ReadonlyMap<string, State>;
type NewState = Omit<State, 'at'>;

const isOperator = ({ remotes }: TokenHolder) => remotes === '*';

async function storedRelease(change: StoreChange, remote: string, version: string): Promise<Release> {
  const stored = await change.manifest(remote, version);
  if (!stored) throw new ReleasesError(422, `${remote}@${version} is not stored; see: releases show ${remote}`);
  return readManifest(stored.manifest, remote);
}

/** Returns the releases that visitors get of other remotes than these. */
async function othersOf(change: StoreChange, states: States, names: readonly string[]): Promise<Release[]> {
  const others: Release[] = [];
  for (const { remote, active, canary } of states.values()) {
    if (names.includes(remote)) continue;
    for (const version of [active, canary]) {
      const stored = version !== null && (await change.manifest(remote, version));
      if (stored) others.push(readManifest(stored.manifest, remote, Number.POSITIVE_INFINITY));
    }
  }
  return others;
}

/** Checks that the paths belong to no other remote; redirects only when they are published. @throws ReleasesError */
export async function checkPaths(
  change: StoreChange,
  states: States,
  releases: readonly Release[],
  isNew: boolean,
): Promise<void> {
  const others = await othersOf(
    change,
    states,
    releases.map(({ name }) => name),
  );
  const problems = releases.flatMap((release, index) => [
    ...pathConflicts(release, [...others, ...releases.slice(index + 1)]),
    ...(isNew ? redirectProblems(release, others) : []),
  ]);
  if (problems.length > 0)
    throw new ReleasesError(422, [...problems, ...(isNew ? [] : ['To move a page: activate both remotes at once.'])]);
}

/** @throws ReleasesError if an operator holds the remote, and this is a team's token */
function checkHold(state: State | undefined, holder: TokenHolder): void {
  if (!state?.heldByOperator || isOperator(holder)) return;
  throw new ReleasesError(
    403,
    `${state.remote} is held by ${state.heldBy}: only a token for all remotes can do this. You can roll back or end a canary.`,
  );
}

function checkSeen(state: State | undefined, remote: string, seen: number | undefined): void {
  if (seen === undefined || seen === (state?.number ?? 0)) return;
  const last = state ? ` by ${state.by} (${state.action}, ${state.at})` : '';
  throw new ReleasesError(409, `${remote} was changed meanwhile${last}. Look at it again, then decide.`);
}

const checkNotActive = (state: State | undefined, remote: string, version: string) => {
  if (state?.active === version)
    throw new ReleasesError(422, `${remote}@${version} is active for all visitors already.`);
};

const notTarget = (remote: string, version: string, why: string) =>
  new ReleasesError(422, `${remote}@${version} ${why}. To give it to visitors: activate ${remote}@${version}`);

export async function rollbackTargets(change: StoreChange, remote: string): Promise<readonly string[]> {
  const { former } = historyOf(await change.rows(remote));
  const stored = await change.storedOf(remote, former);
  return former.filter((version) => stored.has(version));
}

async function rollbackTarget(
  change: StoreChange,
  state: State | undefined,
  remote: string,
  version: string | undefined,
): Promise<string> {
  if (version !== undefined) {
    const { former, rolledBack } = historyOf(await change.rows(remote));
    checkNotActive(state, remote, version);
    if (former.includes(version)) return version;
    throw notTarget(remote, version, rolledBack.has(version) ? 'was rolled back' : 'was never active');
  }
  const [previous] = await rollbackTargets(change, remote);
  if (previous !== undefined) return previous;
  throw new ReleasesError(
    422,
    `${remote} has no stored release that visitors had before ${state?.active ?? 'the first one'}.`,
  );
}

type OfRemote = Exclude<Change, { action: 'activate' }>;

/** Decides on a change of one remote; returns what its new row has. */
async function decide(
  change: StoreChange,
  states: States,
  asked: OfRemote,
  holder: TokenHolder,
): Promise<Partial<NewState>> {
  const { remote, action } = asked;
  const state = states.get(remote);
  checkSeen(state, remote, asked.seen);
  switch (action) {
    case 'rollback': {
      const active = await rollbackTarget(change, state, remote, asked.version);
      await checkPaths(change, states, [await storedRelease(change, remote, active)], false);
      return { active };
    }
    case 'canary': {
      checkHold(state, holder);
      if (!state?.active)
        throw new ReleasesError(422, `${remote} has no active release yet, which all other visitors would get.`);
      checkNotActive(state, remote, asked.version);
      if (historyOf(await change.rows(remote)).rolledBack.has(asked.version))
        throw notTarget(remote, asked.version, 'was rolled back');
      await checkPaths(change, states, [await storedRelease(change, remote, asked.version)], false);
      return { canary: asked.version, percent: asked.percent };
    }
    case 'end':
      if (!state?.canary) throw new ReleasesError(422, `${remote} has no canary.`);
      return {};
    case 'hold':
      if (state?.heldBy && (state.heldByOperator || !isOperator(holder)))
        throw new ReleasesError(422, `${remote} is held already, by ${state.heldBy}.`);
      return { heldBy: holder.name, heldByOperator: isOperator(holder) };
    case 'lift':
      if (!state?.heldBy) throw new ReleasesError(422, `${remote} is not held.`);
      checkHold(state, holder);
      return { heldBy: null, heldByOperator: false };
  }
}

async function storedDuringHold(change: StoreChange, remote: string): Promise<readonly string[]> {
  const rows = await change.rows(remote);
  const lastFree = rows.findLastIndex(({ heldBy }) => heldBy === null);
  return change.storedSince(remote, rows[lastFree + 1]?.at ?? '');
}

/** Makes a change in a transaction, all at the same moment. @throws ReleasesError */
export async function makeChange(change: StoreChange, asked: Change, holder: TokenHolder): Promise<Changed> {
  const states = await change.lock();
  const { action, why = '' } = asked;
  const row = { action, by: holder.name, why };
  if (asked.action === 'activate') {
    const named = asked.releases.map((each) => each.split('@') as [remote: string, version: string]);
    if (new Set(named.map(([remote]) => remote)).size < named.length)
      throw new ReleasesError(422, 'Name one release of each remote.');
    const releases: Release[] = [];
    for (const [remote, version] of named) {
      checkHold(states.get(remote), holder);
      releases.push(await storedRelease(change, remote, version));
    }
    await checkPaths(change, states, releases, false);
    const made: State[] = [];
    // Repeating it is harmless.
    const changing = named.filter(([remote, version]) => states.get(remote)?.active !== version);
    // At one time, so that servers show them at the same moment.
    for (const [remote, active] of changing)
      made.push(await change.insertState(nextState(remote, states.get(remote), { ...row, active }), made[0]?.at));
    const lines = made.flatMap((state) => changeSentences(states.get(state.remote), state));
    const kept = named.filter((each) => !changing.includes(each));
    return { states: made, lines: [...lines, ...kept.map((each) => `${each.join('@')} is active already.`)] };
  }
  const before = states.get(asked.remote);
  const changed = await decide(change, states, asked, holder);
  const stored = action === 'lift' ? await storedDuringHold(change, asked.remote) : [];
  const state = await change.insertState(nextState(asked.remote, before, { ...row, ...changed }));
  const waiting = stored.filter((version) => version !== state.active);
  return { states: [state], lines: [...changeSentences(before, state, waiting)] };
}
