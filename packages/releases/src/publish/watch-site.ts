import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type PublicRegistry, type Release, registryAddress } from '@daybook/contract/release';
import { overviewOf, whyWaiting } from '../management/release-overview.ts';
import { RegistryCopy } from '../registry/registry-copy.ts';
import { hashOfToken } from '../signature/signature.ts';
import { MemoryRegistry } from '../test/memory-registry.ts';
import type { Candidate } from './publish.ts';

/** What is watched: a release or a preview that has just been published, and a site whose visitors shall get it. */
interface Publication {
  /** With the folder of its cache if it runs on this machine: the wait then ends early with the site's reason. */
  readonly site: { readonly address: string; readonly releasesFolder?: string };
  readonly release: Pick<Release, 'name' | 'version'>;
  /** Folder that it was published to. */
  readonly origin: string;
  /** Of a preview: that of its link. */
  readonly token?: string | undefined;
}

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

/** In ms: a site limits how often it is asked for links that it does not know. */
const linkInterval = 2_500;

/** In ms. A site polls its origins every 3 s by default, and every 30 s after failures of an origin. */
const timeout = 45_000;

/** Returns the link of a preview. */
const linkOf = (site: string, token: string) => new URL(`/_preview/${token}`, site).href;

/**
 * Returns the result once visitors get a release, or what they get instead.
 *
 * @param after the time since it was published, for people
 */
async function releaseAt(site: string, { name, version }: Publication['release'], after: string) {
  const response = await fetch(new URL(registryAddress, site), { signal: AbortSignal.timeout(requestTimeout) });
  const { remotes, missing } = (await response.json()) as PublicRegistry;
  const active = remotes.find((remote) => remote.name === name)?.version;
  if (active === version)
    return { text: `Visitors of ${site} got it ${after} after it was published.`, isActive: true };
  if (active !== undefined) return `still serves ${active}`;
  if (missing.includes(name)) return `still has no release of ${name}`;
  return { text: `${site} has no remote ${name}: a site serves those that it found at its start. Restart it.` };
}

/** Returns the result once the link of a preview shows it, or that it does not. */
async function previewAt(site: string, token: string, after: string) {
  const signal = AbortSignal.timeout(requestTimeout);
  const { status } = await fetch(linkOf(site, token), { redirect: 'manual', signal });
  return status === 303 ? { text: `${site} shows it, ${after} after it was published.` } : notShown;
}

const notShown = 'does not show it';

/** Returns what a site on this machine reports about a release that visitors do not get; `undefined` while they may. */
function reportOf(
  { site: { address }, release: { name, version }, origin, token }: Publication,
  known: RegistryCopy,
  since: number,
): WatchResult | undefined {
  const overview = overviewOf(name, known);
  const report = overview.origin;
  if (!report) return undefined;
  if (report.address !== `file:${path.resolve(origin)}`)
    return { text: `${address} gets the releases of ${name} from ${report.address}.` };
  const problem = token ? report.previewProblem : report.problem;
  const isOffered = !token && report.offered === version;
  if (problem && (isOffered || Date.parse(problem.since) >= since))
    return { text: `${address} rejects it: ${problem.message}.`, isRejected: true };
  const why = isOffered ? whyWaiting(overview) : undefined;
  if (why === undefined) return undefined;
  const how = overview.isOfferedAgain ? ` To activate it: npm run releases -- activate ${name} ${version}` : '';
  return { text: `${address} has stored it. ${why}${how}` };
}

/** Waits until visitors of a site get what has just been published, or those with its link. */
export async function watchSite(publication: Publication): Promise<WatchResult> {
  const { site, release, token } = publication;
  const { address, releasesFolder } = site;
  const { name } = release;
  const [begun, since] = [performance.now(), Date.now()];
  for (;;) {
    const after = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    // What its server last wrote to its folder; the registry in memory is never read.
    const known = releasesFolder === undefined ? undefined : new RegistryCopy(new MemoryRegistry(), releasesFolder);
    // Of a site on this machine, a link is requested only once it is known, since requests of unknown ones are limited.
    const isLinkUnknown = known && token && known.stateOf(name).preview?.tokenHash !== hashOfToken(token);
    let state: WatchResult | string = notShown;
    try {
      if (!token) state = await releaseAt(address, release, after);
      else if (!isLinkUnknown) state = await previewAt(address, token, after);
    } catch {
      return {
        text: `No site responds at ${address}; a running site ${token ? 'shows' : 'activates'} it within seconds.`,
      };
    }
    if (typeof state === 'object') return state;
    const report = known && reportOf(publication, known, since);
    if (report) return report;
    if (performance.now() - begun > timeout)
      return {
        text: `${address} ${state} after ${after}; npm run releases -- show ${name} shows why.`,
      };
    await delay(token && !known ? linkInterval : pollInterval);
  }
}

/**
 * Describes a published release: the result on the site, and the next commands. Suggests a rollback only if visitors have
 * the release: while it waits, a rollback would leave the release that they have.
 *
 * @param token of a preview
 * @param site its address; the link of a preview begins with it
 */
export function describePublished(
  { name, version }: { readonly name: string; readonly version: string },
  { text, isActive }: WatchResult,
  token?: string,
  site?: string,
): string {
  const link = token && (site ? linkOf(site, token) : `/_preview/${token}, after the address of the site`);
  const lines = link
    ? [
        `link:       ${link}`,
        '            for 7 days; whoever has it sees the whole site with this release',
        `activate:   npm run releases -- activate ${name} ${version}`,
        `end:        npm run releases -- end ${name} preview`,
      ]
    : [
        `inspect:    npm run releases -- show ${name}`,
        ...(isActive ? [`roll back:  npm run releases -- rollback ${name} --why "…"`] : []),
      ];
  return [text, ...lines].map((line) => `  ${line}`).join('\n');
}

/**
 * Describes what a site has responded to a release, its changed pages, and the next commands.
 *
 * @param lines the site's sentences
 * @param changed paths of the pages that differ from the release before
 * @param token of a preview
 */
export function describePushed(
  { release: { name, version } }: Pick<Candidate, 'release'>,
  lines: readonly string[],
  changed: ReadonlySet<string>,
  site: string,
  token?: string,
): string {
  const command = (words: string) => `npm run releases -- ${words} --site ${site}`;
  const next = token
    ? [
        `link:       ${linkOf(site, token)}`,
        `activate:   ${command(`activate ${name} ${version}`)}`,
        `end:        ${command(`end ${name} preview`)}`,
      ]
    : [`changed:    ${[...changed].map((each) => new URL(each, site).href).join(' ')}`];
  return [
    ...lines,
    ...next,
    `inspect:    ${command(`show ${name}`)}`,
    `roll back:  ${command(`rollback ${name} --why "…"`)}`,
  ].join('\n  ');
}
