/** A release in the store. */
export interface KeptRelease {
  readonly version: string;
  /** When it was stored or last became active, whichever is later; in ms since the epoch. */
  readonly usedAt: number;
}

/**
 * Which releases stay in the store: those that are needed now, and the last used beside them.
 *
 * @param releases those that are whole
 * @param needed versions that stay in any case, by their name: one that can't be read at the moment is still needed
 * @param count how many are kept in all, where no more are needed
 */
export function retain(
  releases: readonly KeptRelease[],
  needed: readonly (string | undefined)[],
  count: number,
): ReadonlySet<string> {
  const kept = new Set(releases.map(({ version }) => version).filter((version) => needed.includes(version)));
  for (const { version } of releases.toSorted((one, other) => other.usedAt - one.usedAt))
    if (kept.size < count) kept.add(version);
  return new Set([...kept, ...needed.filter((version) => version !== undefined)]);
}
