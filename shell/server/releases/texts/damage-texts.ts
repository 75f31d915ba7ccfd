import type { RemoteOverview } from '../release-overview.ts';

/** What visitors get instead of releases that are lost or damaged; the same on the command line and on the page. */
export function damageTexts({ remote, active, served, canary, kept }: RemoteOverview): readonly string[] {
  const isKept = (version: string) => kept.some((each) => each.version === version);
  const texts: string[] = [];
  if (active !== undefined && served !== active)
    texts.push(`${active} is damaged or gone; visitors get ${served ?? `nothing of ${remote}`}`);
  if (canary && !isKept(canary.version))
    texts.push(`canary ${canary.version} is damaged or gone; all visitors get ${served ?? `nothing of ${remote}`}`);
  return texts;
}
