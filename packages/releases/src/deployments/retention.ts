import type { ReleaseRegistry } from '../registry/release-registry.ts';
import { previousVersions, runningPreview } from '../registry/remote-state.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';

/** In ms: a release that was active for this long is proven. */
const provenAfter = 60 * 60_000;

/**
 * Returns the releases to retain: the needed ones, and the most recently used others.
 *
 * @param releases those in the registry, with the time when they were stored or last activated, whichever is later; in ms
 *   since the epoch
 * @param needed versions that are always retained
 * @param count number to retain in total, unless more are needed
 */
export function retain(
  releases: readonly { readonly version: string; readonly usedAt: number }[],
  needed: readonly (string | undefined)[],
  count: number,
): ReadonlySet<string> {
  const retained = new Set(releases.map(({ version }) => version).filter((version) => needed.includes(version)));
  for (const { version } of releases.toSorted((one, other) => other.usedAt - one.usedAt))
    if (retained.size < count) retained.add(version);
  return new Set([...retained, ...needed.filter((version) => version !== undefined)]);
}

/**
 * Returns the release with the longest active time, if that is at least an hour: one bad release after another must not push
 * every good one out of the registry.
 *
 * @param activations each version with its last activation time, the latest last
 * @param now in ms since the epoch
 */
export function provenRelease(activations: ReadonlyMap<string, string>, now: number): string | undefined {
  const moments = [...activations].map(([version, at]) => ({ version, at: Date.parse(at) }));
  const stretches = moments.map(({ version, at }, index) => ({ version, time: (moments[index + 1]?.at ?? now) - at }));
  const [first] = stretches.toSorted((one, other) => other.time - one.time);
  return first && first.time >= provenAfter ? first.version : undefined;
}

/**
 * Removes releases beyond the number to retain, also those that this shell can't serve, which no other shell may ever remove.
 * Called after a release was published; what fails is tried again after the next one.
 */
export async function removeOldReleases(
  registry: ReleaseRegistry,
  live: LiveSnapshot,
  remote: string,
  retained: number,
): Promise<void> {
  const { current } = live;
  const state = current.stateOf(remote);
  const { active, canary, activations, number } = state;
  const releases = current.storedOf(remote).map(({ version, storedAt }) => ({
    version,
    usedAt: Math.max(storedAt, Date.parse(activations.get(version) ?? '') || 0),
  }));
  const [previous] = previousVersions(state);
  // While this shell can't serve the previous release, an older one is the fallback.
  const fallback = current.previousOf(remote)?.version;
  const previewed = runningPreview(state)?.version;
  const needed = [active, canary?.version, previewed, previous, fallback, provenRelease(activations, Date.now())];
  const wanted = retain(releases, needed, retained);
  const old = releases.map(({ version }) => version).filter((version) => !wanted.has(version));
  if (old.length === 0) return;
  // Removes nothing if the remote has changed since.
  await registry.remove(remote, old, number).catch(() => undefined);
  await live.refresh().catch(() => undefined);
}
