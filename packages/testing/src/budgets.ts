import type { Release } from '@daybook/contract';

/** How a part of a release stands to its budget; both in bytes, as transferred. */
export interface BudgetRow {
  /** `entry`, or a route's path. */
  readonly part: string;
  readonly used: number;
  readonly budget: number;
}

export interface BudgetComparison {
  /** The parts that have a budget. */
  readonly rows: readonly BudgetRow[];
  /** What does not hold, and what to do about it: a line each. */
  readonly problems: readonly string[];
}

/** The part of a release that every page of the remote needs. */
const entryPart = 'entry';

/** Room that a new budget leaves, and what it is rounded up to, in bytes. */
const headRoom = 1.12;
const step = 100;

/**
 * What each part of a release weighs on its way to a visitor: `entry` is the remote entry; a route is all its
 * scripts and styles beside the entry, those that it shares with other routes included, since a visitor who comes
 * to it first loads them all. Compressed with Brotli where the release has that. Pictures and downloads don't count.
 */
export function weights({ entry, routes, files }: Release): ReadonlyMap<string, number> {
  const transferred = (file: string) => (files[`${file}.br`] ?? files[file])?.size ?? 0;
  return new Map([
    [entryPart, transferred(entry)],
    ...routes.map(({ path, files: own }) => [path, own.reduce((sum, file) => sum + transferred(file), 0)] as const),
  ]);
}

/** A budget for a part of this weight: some room, rounded up. */
export const suggestBudget = (used: number) => Math.ceil((used * headRoom) / step) * step;

export const inBytes = (bytes: number) => bytes.toLocaleString('en-US');

/**
 * Holds a release against the `budget` of its remote's package.json.
 *
 * @param manifest how messages name that package.json
 * @param budget what stands there: bytes by part
 */
export function compareWithBudget(release: Release, budget: unknown, manifest: string): BudgetComparison {
  const used = weights(release);
  const budgets = new Map(Object.entries(typeof budget === 'object' && budget !== null ? budget : {}));
  const rows: BudgetRow[] = [];
  const problems: string[] = [];
  for (const [part, bytes] of used) {
    const limit: unknown = budgets.get(part);
    const proposal = `"${part}": ${suggestBudget(bytes)}`;
    if (limit === undefined) {
      problems.push(`${part} weighs ${inBytes(bytes)} bytes and has no budget. Write in "budget": ${proposal}`);
    } else if (typeof limit !== 'number' || !Number.isInteger(limit) || limit <= 0) {
      problems.push(`The budget of ${part} is ${JSON.stringify(limit)}; it must be a number of bytes: ${proposal}`);
    } else {
      rows.push({ part, used: bytes, budget: limit });
      if (bytes > limit) {
        const over = `${part} weighs ${inBytes(bytes)} bytes, ${inBytes(bytes - limit)} over its budget of ${inBytes(limit)}.`;
        problems.push(`${over} Make it lighter, or raise the budget: ${proposal}`);
      }
    }
  }
  for (const part of budgets.keys()) {
    if (!used.has(part)) problems.push(`"${part}" is no route of the remote. Take it out of "budget".`);
  }
  return { rows, problems: problems.map((problem) => `${manifest}: ${problem}`) };
}

const barLength = 20;

function barOf(share: number): string {
  const filled = Math.min(barLength, Math.round(share * barLength));
  return '█'.repeat(filled).padEnd(barLength, '░');
}

/** The rows as aligned lines: part, used of budget, a bar and the share. */
export function budgetTable(rows: readonly BudgetRow[]): readonly string[] {
  const width = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const partWidth = width(rows.map(({ part }) => part));
  const usedWidth = width(rows.map(({ used }) => inBytes(used)));
  const budgetWidth = width(rows.map(({ budget }) => inBytes(budget)));
  return rows.map(({ part, used, budget }) => {
    const amount = `${inBytes(used).padStart(usedWidth)} of ${inBytes(budget).padStart(budgetWidth)} bytes`;
    const share = `${Math.ceil((used / budget) * 100)} %`.padStart(5);
    return `${part.padEnd(partWidth)}  ${amount}  ${barOf(used / budget)} ${share}`;
  });
}
