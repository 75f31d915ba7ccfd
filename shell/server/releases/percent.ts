import { ChangeError } from './release-changes.ts';

/**
 * Reads a share of visitors as a person writes it: `10`, `10 %`.
 *
 * @returns a whole number from 0 to 100
 * @throws ChangeError repeating what was written
 */
export function parsePercent(text: string): number {
  const [, digits] = /^\s*(\d{1,3})\s*%?\s*$/.exec(text) ?? [];
  const percent = Number(digits ?? Number.NaN);
  if (percent >= 0 && percent <= 100) return percent;
  throw new ChangeError(`The share of visitors must be a whole number from 0 to 100, not “${text}”.`);
}
