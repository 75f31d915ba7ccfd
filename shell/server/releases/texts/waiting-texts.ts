import type { RemoteOverview } from '../release-overview.ts';

/** Why visitors do not get what the origin offers; `undefined` where they do, or will by the next look. */
export function whyWaiting({ origin, active, pinned, canary, kept }: RemoteOverview): string | undefined {
  const offered = origin?.offered;
  if (!offered || offered === active || offered === canary?.version) return undefined;
  const standing = kept.find((each) => each.version === offered)?.standing;
  if (standing === 'withdrawn') return 'It was rolled back or was a canary, so it is not activated by itself.';
  if (standing === undefined) return undefined;
  if (pinned) return 'It waits until the remote is unpinned.';
  return canary && 'It waits until the canary is over.';
}

/** What becomes of newer releases of a remote that has just been unpinned. */
export function afterUnpin(overview: RemoteOverview): string {
  const { origin, active, canary } = overview;
  const offered = origin?.offered;
  const why = whyWaiting(overview);
  if (offered && why) return `Its origin offers ${offered}. ${why}`;
  if (canary) return 'Newer releases wait until the canary is over.';
  if (!offered || offered === active) return 'What its origin offers next becomes active by itself.';
  if (origin?.problem) return `Its origin offers ${offered}, which becomes active once its problem is mended.`;
  return `Its origin offers ${offered}, which becomes active at the next look.`;
}
