import { contractVersion, type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import * as z from 'zod/mini';
import { checkCounts, checkSizes } from './release-limits.ts';
import { checkNames } from './release-names.ts';
import { ReleaseRefusal } from './release-refusal.ts';

/** What an origin wrote, fit for a line of the log and for a terminal, which it shall not steer. */
const quote = (text: string, length: number) => {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
};

function parse(text: string, origin: string): Release {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ReleaseRefusal('malformed', `${origin}/${releaseFileName} is not JSON: ${quote(text.slice(0, 400), 40)}`);
  }
  const contract = (json as { contract?: unknown } | null)?.contract;
  // Looked at first: a release for another contract may look otherwise throughout.
  if (typeof contract === 'number' && contract !== contractVersion) {
    throw new ReleaseRefusal(
      'contract',
      `it is built for contract ${contract} and this shell speaks ${contractVersion}; build it against the shell's packages/contract`,
    );
  }
  checkCounts(json);
  const parsed = releaseSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = { issues: parsed.error.issues.slice(0, 3) };
  throw new ReleaseRefusal('malformed', `${releaseFileName} is not valid: ${quote(z.prettifyError(issues), 400)}`);
}

function checkComplete({ entry, files, routes }: Release): void {
  const has = (file: string) => Object.hasOwn(files, file);
  if (!has(entry)) throw new ReleaseRefusal('incomplete', `its entry ${entry} is not among its files`);
  for (const route of routes) {
    const missing = [...route.files, ...(route.fragment ? [route.fragment] : [])].find((file) => !has(file));
    if (missing)
      throw new ReleaseRefusal('incomplete', `${missing}, which ${route.path} needs, is not among its files`);
  }
  const paths = routes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice) throw new ReleaseRefusal('collision', `it claims ${twice} twice`);
}

/**
 * Reads a release's description and checks all that can be known from it: that it is the remote's, that this
 * shell speaks its contract, that it has the entry and every page's chunks and styles, names that can be stored,
 * and honest sizes.
 *
 * @param remote whose release it has to be
 * @param origin where it comes from, for the message
 * @throws ReleaseRefusal saying what is wrong
 */
export function readRelease(text: string, remote: string, origin: string): Release {
  const release = parse(text, origin);
  if (release.name !== remote) throw new ReleaseRefusal('foreign', `it is a release of ${release.name}`);
  checkNames(release);
  checkComplete(release);
  checkSizes(release);
  return release;
}

/**
 * Checks that no other remote's visitors use one of a release's paths already: the running one keeps it.
 *
 * @param others the releases that other remotes give to visitors
 * @throws ReleaseRefusal naming the path and its owner
 */
export function checkCollisions(release: Release, others: readonly Release[]): void {
  for (const { path } of release.routes) {
    const owner = others.find(({ routes }) => routes.some((route) => route.path === path));
    if (owner) throw new ReleaseRefusal('collision', `its route ${path} belongs to ${owner.name}@${owner.version}`);
  }
}
