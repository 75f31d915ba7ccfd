import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Registry, type Release, registryAddress, releaseFileName, releaseSchema } from '@daybook/contract';
import { integrityOf } from '@daybook/release';
import { CommandError } from '@daybook/server';
import type { Candidate } from './candidate.ts';

/** Ends the name of a file that is being written; one that a crash left behind goes with the next release. */
const unfinished = '.publishing';

/** Names that only a build makes: with a content hash, compressed or not, or a source map. */
const isBuilt = (file: string) => /\.[0-9a-f]{8}\.\w+(?:\.map|\.br|\.gz)?$/.test(file) || file.endsWith(unfinished);

const readIfThere = (file: string) => readFile(file).catch(() => undefined);

/** Makes the names in a folder last through a crash. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Writes a file as a whole: a reader finds the old one or the new one, after a crash too. */
async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const handle = await open(file + unfinished, 'w');
  await handle
    .writeFile(content)
    .then(() => handle.sync())
    .finally(() => handle.close());
  await rename(file + unfinished, file);
}

/**
 * The version that an origin offers.
 *
 * @returns `undefined` for a folder that is empty, or not there
 * @throws CommandError where the folder holds something else: nothing of that shall be touched
 */
export async function offeredVersion(origin: string, remote: string): Promise<string | undefined> {
  const isFolder = await stat(origin).then(
    (stats) => stats.isDirectory(),
    () => undefined,
  );
  if (isFolder === undefined) return undefined;
  if (!isFolder) throw new CommandError(`${origin} is a file; a release is published to a folder.`);
  const text = await readIfThere(path.join(origin, releaseFileName));
  if (!text) {
    const others = (await readdir(origin)).filter((file) => !isBuilt(file) && !file.startsWith('.'));
    if (others.length === 0) return undefined;
    throw new CommandError(
      `${origin} holds no release, but ${others[0]} and such. Name an empty folder, or a new one.`,
    );
  }
  const parsed = releaseSchema.safeParse(parseJson(String(text)));
  const name = parsed.data?.name;
  if (name && name !== remote) throw new CommandError(`${origin} is the origin of ${name}, not of ${remote}.`);
  // A release.json that can't be read is replaced: that mends it.
  return parsed.data?.version;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether an origin holds this very release: each file, byte for byte. */
export async function isPublished({ release, text }: Candidate, origin: string): Promise<boolean> {
  if (String(await readIfThere(path.join(origin, releaseFileName))) !== text) return false;
  for (const [file, { integrity }] of Object.entries(release.files)) {
    const content = await readIfThere(path.join(origin, file));
    if (!content || integrityOf(content) !== integrity) return false;
  }
  return true;
}

/** Copies the files that the origin lacks. Their names are new, so nobody reads them yet. */
async function copyFiles({ folder, release }: Candidate, origin: string, stopped: AbortSignal): Promise<void> {
  for (const [file, { integrity }] of Object.entries(release.files)) {
    stopped.throwIfAborted();
    const there = await readIfThere(path.join(origin, file));
    if (there && integrityOf(there) === integrity) continue;
    const content = await readIfThere(path.join(folder, file));
    if (!content || integrityOf(content) !== integrity) {
      throw new CommandError(`${path.join(folder, file)} is not what was tried. Start the release again.`);
    }
    await writeWhole(path.join(origin, file), content);
  }
  for (const each of new Set(Object.keys(release.files).map((file) => path.dirname(path.join(origin, file))))) {
    await syncFolder(each);
  }
}

async function removeLeftovers({ release }: Candidate, origin: string): Promise<number> {
  const entries = await readdir(origin, { recursive: true, withFileTypes: true });
  const leftovers = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => isBuilt(file) && !Object.hasOwn(release.files, path.relative(origin, file)));
  for (const file of leftovers) await rm(file, { force: true });
  return leftovers.length;
}

/**
 * Publishes a candidate to its origin: files first, then release.json, which names them. So whoever looks at the
 * origin, at any moment and after a crash at any moment, finds one whole release.
 *
 * @param stopped leaves the origin with the release that it offers
 */
export async function publish(candidate: Candidate, origin: string, stopped: AbortSignal): Promise<void> {
  await mkdir(origin, { recursive: true });
  await copyFiles(candidate, origin, stopped);
  stopped.throwIfAborted();
  await writeWhole(path.join(origin, releaseFileName), candidate.text);
}

/** What became of an origin whose new release is on offer. */
export interface Tidied {
  /** How many files of earlier builds were removed. */
  readonly removed: number;
  /** What could not be done; the release is published all the same. */
  readonly problems: readonly string[];
}

/**
 * Does what is left to do once a candidate is published: makes release.json last through a crash, stamps the folder
 * as built from the candidate's sources, and removes what earlier builds left there. Each is tried where another
 * fails: none of it undoes the release.
 *
 * @param stamp the name and content of the stamp; none where the folder is no workspace's
 */
export async function tidyUp(
  candidate: Candidate,
  origin: string,
  stamp: { readonly file: string; readonly content: string } | undefined,
): Promise<Tidied> {
  const problems: string[] = [];
  const tell = (error: Error) => {
    problems.push(error.message);
    return 0;
  };
  await syncFolder(origin).catch(tell);
  if (stamp) await writeFile(path.join(origin, stamp.file), stamp.content).catch(tell);
  return { removed: await removeLeftovers(candidate, origin).catch(tell), problems };
}

/** Poll interval and timeout of a request, in ms. */
const pollInterval = 250;
const requestTimeout = 3_000;

/** A site polls its origins every 3 s, after failures less often. After this many ms something is in the way. */
const defaultTimeout = 15_000;

/** The version of a remote that a site's visitors get; throws where no site answers. */
async function activeVersion(site: string, remote: string): Promise<string | undefined> {
  const answer = await fetch(new URL(registryAddress, site), { signal: AbortSignal.timeout(requestTimeout) });
  const { remotes } = (await answer.json()) as Registry;
  return remotes.find(({ name }) => name === remote)?.version;
}

/**
 * Waits until a site's visitors get a release.
 *
 * @param site its address
 * @param timeout in ms
 * @returns what came of it, in a line; that a site does not run, or gives another release, is no error
 */
export async function watchSite(
  site: string,
  { name, version }: Pick<Release, 'name' | 'version'>,
  timeout = defaultTimeout,
): Promise<string> {
  const end = Date.now() + timeout;
  try {
    for (;;) {
      const active = await activeVersion(site, name);
      if (active === version) return `Active at ${site} since ${new Date().toLocaleTimeString('en-GB')}.`;
      if (Date.now() > end) {
        const instead = active ? `serves ${active}` : `has no release of ${name}`;
        return `${site} still ${instead}; npm run releases -- show ${name} says why.`;
      }
      await delay(pollInterval);
    }
  } catch {
    return `No site answers at ${site}; one that runs takes the release over in seconds.`;
  }
}
