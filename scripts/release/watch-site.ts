import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type PublicRegistry, type Release, registryAddress } from '@daybook/contract/release';
import { hashOfToken } from '@daybook/releases';
import { lastKnownReleases, overviewOf, whyWaiting } from '@daybook/releases/server';
import type { RecordedSite } from '../recorded-site.ts';

/** A site whose visitors shall get a release. */
export type WatchedSite = Pick<RecordedSite, 'address'> & Partial<Pick<RecordedSite, 'releasesFolder'>>;

/** Result of watching a site. */
export interface WatchResult {
  /** In one line. */
  readonly text: string;
  /** Whether visitors get the release. */
  readonly isActive?: boolean;
  /** Whether the site rejects the release. */
  readonly isRejected?: boolean;
}

/** Poll interval and timeout of a request, in ms. */
const pollInterval = 100;
const requestTimeout = 3_000;

/** In ms. A site polls its origins every 3 s by default, and every 30 s after failures of an origin. */
const defaultTimeout = 45_000;

/** Returns the active version of a remote, and whether the site has that remote; throws if no site responds. */
async function stateAt(site: string, remote: string) {
  const response = await fetch(new URL(registryAddress, site), { signal: AbortSignal.timeout(requestTimeout) });
  const { remotes, missing } = (await response.json()) as PublicRegistry;
  const active = remotes.find(({ name }) => name === remote)?.version;
  return { active, isKnown: active !== undefined || missing.includes(remote) };
}

/** Returns what a site on this machine reports about a release that it does not activate; `undefined` while it may. */
function reportOf(
  { address, releasesFolder }: Required<WatchedSite>,
  { name, version }: Pick<Release, 'name' | 'version'>,
  origin: string,
  since: number,
): WatchResult | undefined {
  const overview = overviewOf(name, lastKnownReleases(releasesFolder));
  const report = overview.origin;
  if (!report) return undefined;
  if (report.address !== `file:${path.resolve(origin)}`)
    return { text: `${address} gets the releases of ${name} from ${report.address}.` };
  const { problem, offered } = report;
  if (problem && (offered === version || Date.parse(problem.since) >= since))
    return { text: `${address} rejects it: ${problem.message}.`, isRejected: true };
  const why = offered === version ? whyWaiting(overview) : undefined;
  if (why === undefined) return undefined;
  const how = overview.withheld ? ` To activate it: npm run releases -- activate ${name} ${version}` : '';
  return { text: `${address} has stored it. ${why}${how}` };
}

/**
 * Waits until visitors of a site get a release that has just been published.
 *
 * @param site with the folder of its cache if it runs on this machine: the wait then ends early with the site's reason
 * @param origin folder that the release was published to
 * @param timeout in ms
 * @returns a site that is down or serves another release is not an error
 */
export async function watchSite(
  site: WatchedSite,
  release: Pick<Release, 'name' | 'version'>,
  origin: string,
  timeout = defaultTimeout,
): Promise<WatchResult> {
  const { address, releasesFolder } = site;
  const [begun, since] = [performance.now(), Date.now()];
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  for (;;) {
    let state: Awaited<ReturnType<typeof stateAt>>;
    try {
      state = await stateAt(address, release.name);
    } catch {
      return { text: `No site responds at ${address}; a running site activates it within seconds.` };
    }
    const { active, isKnown } = state;
    if (active === release.version)
      return { text: `Visitors of ${address} got it ${seconds()} s after it was published.`, isActive: true };
    if (!isKnown)
      return {
        text: `${address} has no remote ${release.name}: a site serves those that it found at its start. Restart it.`,
      };
    const report = releasesFolder && reportOf({ address, releasesFolder }, release, origin, since);
    if (report) return report;
    if (performance.now() - begun > timeout) {
      const instead = active ? `serves ${active}` : `has no release of ${release.name}`;
      return {
        text: `${address} still ${instead} after ${seconds()} s; npm run releases -- show ${release.name} shows why.`,
      };
    }
    await delay(pollInterval);
  }
}

/** In ms: a site limits how often it is asked for links that it does not know. */
const linkInterval = 2_500;

/** Returns what a site on this machine reports about a preview; `undefined` while it has not found it. */
function previewAt(
  { releasesFolder, address }: Required<WatchedSite>,
  remote: string,
  tokenHash: string,
  origin: string,
  since: number,
): WatchResult | 'running' | undefined {
  const releases = lastKnownReleases(releasesFolder);
  if (releases.stateOf(remote).preview?.tokenHash === tokenHash) return 'running';
  const report = releases.originOf(remote);
  if (!report) return undefined;
  if (report.address !== `file:${path.resolve(origin)}`)
    return { text: `${address} gets the releases of ${remote} from ${report.address}.` };
  const { previewProblem: problem } = report;
  if (!problem || Date.parse(problem.since) < since) return undefined;
  return { text: `${address} rejects it: ${problem.message}.`, isRejected: true };
}

/**
 * Waits until a site shows a preview that has just been published.
 *
 * @param token of its link
 */
export async function watchPreview(
  site: WatchedSite,
  remote: string,
  token: string,
  origin: string,
  timeout = defaultTimeout,
): Promise<WatchResult> {
  const { address, releasesFolder } = site;
  const [begun, since, tokenHash] = [performance.now(), Date.now(), hashOfToken(token)];
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  for (;;) {
    const found = releasesFolder && previewAt({ address, releasesFolder }, remote, tokenHash, origin, since);
    if (typeof found === 'object') return found;
    if (!releasesFolder || found === 'running') {
      const signal = AbortSignal.timeout(requestTimeout);
      const response = await fetch(linkOf(address, token), { redirect: 'manual', signal }).catch(() => undefined);
      if (!response) return { text: `No site responds at ${address}; a running site shows it within seconds.` };
      if (response.status === 303) return { text: `${address} shows it, ${seconds()} s after it was published.` };
    }
    if (performance.now() - begun > timeout)
      return {
        text: `${address} does not show it after ${seconds()} s; npm run releases -- preview ${remote} shows why.`,
      };
    await delay(releasesFolder ? pollInterval : linkInterval);
  }
}

/** Returns the link of a preview. */
export const linkOf = (site: string, token: string) => new URL(`/_preview/${token}`, site).href;
