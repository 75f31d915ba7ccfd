import { setTimeout as delay } from 'node:timers/promises';
import { type Registry, type Release, registryAddress } from '@daybook/contract';

/** Between two questions, in ms. */
const interval = 250;

/** A site that does not answer a question within this many ms is not there. */
const answerLimit = 3_000;

/** Looks at its origins every 3 s; after failures that may be longer. After this many ms something is in the way. */
const usualPatience = 15_000;

/** The version of a remote that a site's visitors get; throws where no site answers. */
async function activeVersion(site: string, remote: string): Promise<string | undefined> {
  const answer = await fetch(new URL(registryAddress, site), { signal: AbortSignal.timeout(answerLimit) });
  const { remotes } = (await answer.json()) as Registry;
  return remotes.find(({ name }) => name === remote)?.version;
}

/**
 * Waits until a site's visitors get a release.
 *
 * @param site its address
 * @param patience how long, in ms, it may take
 * @returns what came of it, in a line; that a site does not run, or gives another release, is no error
 */
export async function watchSite(
  site: string,
  { name, version }: Pick<Release, 'name' | 'version'>,
  patience = usualPatience,
): Promise<string> {
  const end = Date.now() + patience;
  try {
    for (;;) {
      const active = await activeVersion(site, name);
      if (active === version) return `Active at ${site} since ${new Date().toLocaleTimeString('en-GB')}.`;
      if (Date.now() > end) {
        const instead = active ? `serves ${active}` : `has no release of ${name}`;
        return `${site} still ${instead}; npm run releases -- show ${name} says why.`;
      }
      await delay(interval);
    }
  } catch {
    return `No site answers at ${site}; one that runs takes the release over in seconds.`;
  }
}
