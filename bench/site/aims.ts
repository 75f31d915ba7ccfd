import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSection } from '../report/publish.ts';
import { markdownTable } from '../report/table.ts';
import type { AimResult } from './parts.ts';

/** The aims as a table, with what was last measured. */
export const aimsTable = (aims: readonly AimResult[]): string =>
  markdownTable(
    ['figure', 'aim', 'measured', ''],
    aims.map(({ figure, aim, measured, met }) => [figure, aim, measured, met ? 'met' : 'missed']),
    4,
  );

function readAims(file: string): readonly AimResult[] {
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly aims?: readonly AimResult[] }).aims ?? [];
}

/**
 * Fills the table of aims in a folder's README.md from the results that lie there: those of this run, and of earlier
 * ones where a part was left out.
 *
 * @param names of the results, in the table's order
 */
export function publishAims(folder: string, names: readonly string[]): void {
  const aims = names.flatMap((name) => readAims(path.join(folder, `${name}.json`)));
  mkdirSync(folder, { recursive: true });
  const place = path.join(folder, 'README.md');
  const before = existsSync(place) ? readFileSync(place, 'utf8') : '';
  writeFileSync(place, withSection(before, 'aims', aimsTable(aims)));
}
