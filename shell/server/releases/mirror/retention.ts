/** A release in the store. */
export interface KeptRelease {
  readonly version: string;
  /** When it was stored or last became active, whichever is later; in ms since the epoch. */
  readonly usedAt: number;
}

/**
 * Which releases stay in the store: those that are needed now, and the last used beside them.
 *
 * @param needed versions that stay in any case
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
  return kept;
}
