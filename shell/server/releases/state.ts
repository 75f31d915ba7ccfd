import type { State } from '@daybook/contract/release';

export interface History {
  /** What a rollback can return to, the next one first. */
  readonly former: readonly string[];
  /** No target of a rollback until somebody activates it. */
  readonly rolledBack: ReadonlySet<string>;
}

/** A stack: activating pushes, rolling back pops. */
export function historyOf(rows: readonly State[]): History {
  let stack: string[] = [];
  const rolledBack = new Set<string>();
  for (const { action, active } of rows) {
    if (active === null || active === stack.at(-1)) continue;
    if (action === 'rollback') {
      const at = stack.lastIndexOf(active) + 1;
      for (const version of stack.slice(at)) rolledBack.add(version);
      stack = at > 0 ? stack.slice(0, at) : [active];
    } else stack = [...stack.filter((version) => version !== active), active];
    rolledBack.delete(active);
  }
  return { former: stack.slice(0, -1).reverse(), rolledBack };
}

type Changed = Pick<State, 'action' | 'by' | 'why'> & Partial<State>;

/** Activating, rolling back and ending end a canary. */
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
