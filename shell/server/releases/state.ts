import type { State } from '@daybook/contract/release';

/** A stack: activating pushes, rolling back pops. What a rollback left is no target until somebody activates it. */
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
