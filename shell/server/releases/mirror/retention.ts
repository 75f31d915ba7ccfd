/** A release in the store. */
export interface KeptRelease {
  readonly version: string;
  /** When it was stored or last became active, whichever is later; in ms since the epoch. */
  readonly usedAt: number;
}

/** A release that was active for this long, in ms, has proved itself. */
const provenAfter = 60 * 60_000;

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

/**
 * Returns the release that was active longest, if for an hour at least: an origin that offers one bad release after
 * another must not push every good one out of the store.
 *
 * @param activations each version with the moment it last became active, the latest last
 */
export function longestActive(activations: ReadonlyMap<string, string>, now = Date.now()): string | undefined {
  const moments = [...activations].map(([version, at]) => ({ version, at: Date.parse(at) }));
  const stretches = moments.map(({ version, at }, index) => ({ version, time: (moments[index + 1]?.at ?? now) - at }));
  const [longest] = stretches.toSorted((one, other) => other.time - one.time);
  return longest && longest.time >= provenAfter ? longest.version : undefined;
}
