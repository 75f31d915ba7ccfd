import type { State } from '@daybook/contract/release';

/**
 * Reads the log of a remote as a stack: activating a release pushes it, rolling back pops. What a rollback left is no
 * target of another one until somebody activates it on purpose.
 *
 * @param rows the oldest first
 * @returns the versions that visitors had before the active one, the latest first; and those that a rollback left
 */
export function historyOf(rows: readonly State[]): {
  readonly before: readonly string[];
  readonly left: ReadonlySet<string>;
} {
  let stack: string[] = [];
  const left = new Set<string>();
  for (const { action, active } of rows) {
    if (active === null || active === stack.at(-1)) continue;
    if (action === 'rollback') {
      const at = stack.lastIndexOf(active) + 1;
      for (const version of stack.slice(at)) left.add(version);
      stack = at > 0 ? stack.slice(0, at) : [active];
    } else stack = [...stack.filter((version) => version !== active), active];
    left.delete(active);
  }
  return { before: stack.slice(0, -1).reverse(), left };
}

/** What a change sets; the number and the rest stay as in the state before. */
type Changed = Pick<State, 'action' | 'by' | 'why'> & Partial<State>;

/** Returns the row that follows a state; activating, rolling back and ending end a canary. */
export function nextState(remote: string, before: State | undefined, changed: Changed): Omit<State, 'at'> {
  const {
    number,
    active = null,
    canary = null,
    percent = null,
    heldBy = null,
    heldByOperator = false,
  } = before ?? { number: 0 };
  const endsCanary = changed.active !== undefined || changed.action === 'end';
  return {
    ...{ remote, active, heldBy, heldByOperator },
    ...(endsCanary ? { canary: null, percent: null } : { canary, percent }),
    ...changed,
    number: number + 1,
  };
}
