import type { Release } from '@daybook/contract/release';

/** Name of the part that every page of the remote needs. */
const entryPart = 'entry';

/** Headroom of a suggested budget, and the step in bytes that it is rounded up to. */
const headRoom = 1.12;
const step = 100;

/**
 * Returns the transferred bytes of each part of a release: `entry` is the remote entry; a route counts all its scripts
 * and styles except the entry, including those shared with other routes, since a first visit loads them all. Uses the
 * Brotli variant if there is one. Pictures and downloads don't count.
 */
export function weights({ entry, routes, files }: Release): ReadonlyMap<string, number> {
  const transferred = (file: string) => (files[`${file}.br`] ?? files[file])?.size ?? 0;
  return new Map([
    [entryPart, transferred(entry)],
    ...routes.map(({ path, files: own }) => [path, own.reduce((sum, file) => sum + transferred(file), 0)] as const),
  ]);
}

/** Suggests a budget for a part of this weight: with headroom, rounded up. */
const suggestBudget = (used: number) => Math.ceil((used * headRoom) / step) * step;

const inBytes = (bytes: number) => bytes.toLocaleString('en-US');

/**
 * Compares a release with the `budget` in its remote's package.json.
 *
 * @param manifest name of that package.json in messages
 * @param budget its value: bytes by part
 * @returns weight and budget of each part that has one, in transferred bytes; and a line for each violation, with its fix
 */
export function compareWithBudget(release: Release, budget: unknown, manifest: string) {
  const used = weights(release);
  const budgets = new Map(Object.entries(typeof budget === 'object' && budget !== null ? budget : {}));
  const rows: { readonly used: number; readonly budget: number }[] = [];
  const problems: string[] = [];
  for (const [part, bytes] of used) {
    const limit: unknown = budgets.get(part);
    const proposal = `"${part}": ${suggestBudget(bytes)}`;
    if (limit === undefined) {
      problems.push(`${part} weighs ${inBytes(bytes)} bytes and has no budget. Write in "budget": ${proposal}`);
    } else if (typeof limit !== 'number' || !Number.isInteger(limit) || limit <= 0) {
      problems.push(`The budget of ${part} is ${JSON.stringify(limit)}; it must be a number of bytes: ${proposal}`);
    } else {
      rows.push({ used: bytes, budget: limit });
      if (bytes > limit) {
        const over = `${part} weighs ${inBytes(bytes)} bytes, ${inBytes(bytes - limit)} over its budget of ${inBytes(limit)}.`;
        problems.push(`${over} Make it lighter, or raise the budget: ${proposal}`);
      }
    }
  }
  for (const part of budgets.keys()) {
    if (!used.has(part)) problems.push(`"${part}" is not a route of the remote. Remove it from "budget".`);
  }
  return { rows, problems: problems.map((problem) => `${manifest}: ${problem}`) };
}
