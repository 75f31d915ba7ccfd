import { createHash } from 'node:crypto';
import { contractVersion, type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import * as z from 'zod';

/** Why a release is not taken; the word by which it is counted. */
export type RefusalReason =
  | 'malformed'
  | 'foreign'
  | 'contract'
  | 'incomplete'
  | 'collision'
  | 'too-large'
  | 'fragment'
  | 'tampered'
  | 'version-reused';

const maxMessage = 500;

/** A release that this shell does not take; the message says why and what to do. */
export class ReleaseRefusal extends Error {
  override readonly name = 'ReleaseRefusal';
  readonly reason: RefusalReason;

  /**
   * @param message loses control characters, which a terminal would act on, and is cut: what it quotes of a release may
   *   be hostile and endless
   */
  constructor(reason: RefusalReason, message: string) {
    const line = message.slice(0, 4 * maxMessage).replaceAll(/[\s\p{C}]+/gu, ' ');
    super(line.length > maxMessage ? `${line.slice(0, maxMessage)} …` : line);
    this.reason = reason;
  }
}

/** More than any honest release has; sizes in bytes. */
export const releaseLimits = {
  /** Of `release.json`: one of nothing but brackets takes a third of a millisecond for each kB to parse. */
  description: 300_000,
  files: 2_000,
  /** Folders that files are in, and folders inside one another: each is made and synced. */
  folders: 100,
  depth: 8,
  routes: 200,
  /** Characters of what all routes say: the page of every remote carries it. */
  routeText: 64_000,
  /** Chunks and styles of a route: its page names all of them. */
  filesOfRoute: 100,
  /** Characters of a file's path, and of a version. */
  name: 200,
  fileSize: 20_000_000,
  size: 60_000_000,
  /** What the document of a page holds, its fragment and styles, and of all pages together: it is kept in memory. */
  document: 1_000_000,
  documents: 10_000_000,
} as const;

/** Counts before the schema is applied, which takes microseconds for each value, and more for each wrong one. */
export function checkCounts(json: unknown): void {
  const { routes, files } = (json ?? {}) as { readonly routes?: unknown; readonly files?: unknown };
  const listed = Array.isArray(routes) ? routes : [];
  const ofRoutes = listed
    .slice(0, releaseLimits.routes)
    .map((route: { readonly files?: unknown } | null) => route?.files);
  const most = Math.max(0, ...ofRoutes.map((each) => (Array.isArray(each) ? each.length : 0)));
  checkCount(listed.length, releaseLimits.routes, 'routes');
  checkCount(most, releaseLimits.filesOfRoute, 'files for one route');
  checkCount(Object.keys(files ?? {}).length, releaseLimits.files, 'files');
}

function checkCount(count: number, limit: number, what: string): void {
  if (count > limit) throw new ReleaseRefusal('too-large', `it has ${count} ${what}; at most ${limit} are taken`);
}

/** @throws ReleaseRefusal where a release is larger than any honest one */
export function checkSizes({ files, routes }: Release): void {
  const refuse = (what: string, size: number, limit: number) => {
    if (size > limit) throw new ReleaseRefusal('too-large', `${what} has ${size} bytes; at most ${limit} are taken`);
  };
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  for (const [name, { size }] of Object.entries(files)) refuse(`its file ${name}`, size, releaseLimits.fileSize);
  refuse('it', sum(Object.values(files).map(({ size }) => size)), releaseLimits.size);
  const said = routes.map(({ files: _, fragment: __, ...rest }) => rest);
  refuse('what its routes say', JSON.stringify(said).length, releaseLimits.routeText);
  const documents = routes.map((route) => {
    const held = [route.fragment ?? '', ...route.files.filter((file) => file.endsWith('.css'))];
    const size = sum(held.map((file) => files[file]?.size ?? 0));
    refuse(`the page ${route.path} with its styles`, size, releaseLimits.document);
    return size;
  });
  refuse('all pages together', sum(documents), releaseLimits.documents);
}

/** The folders that a file is in: `a` and `a/b` of `a/b/c.js`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * Checks that a release's files find room in one folder beside its description, on any file system.
 *
 * @throws ReleaseRefusal naming the file that does not
 */
export function checkNames({ version, files }: Release): void {
  const refuse = (what: string) => {
    throw new ReleaseRefusal('malformed', what);
  };
  const long = [version, ...Object.keys(files)].find((name) => name.length > releaseLimits.name);
  if (long) refuse(`${long.slice(0, 40)} … has ${long.length} characters; at most ${releaseLimits.name} are taken`);
  const deep = Object.keys(files).find((name) => foldersOf(name).length > releaseLimits.depth);
  if (deep) refuse(`its file ${deep} is in more than ${releaseLimits.depth} folders`);
  const folders = new Set(Object.keys(files).flatMap(foldersOf));
  if (folders.size > releaseLimits.folders)
    refuse(`its files are in ${folders.size} folders; at most ${releaseLimits.folders} are taken`);
  const taken = new Map([[releaseFileName, releaseFileName]]);
  for (const name of Object.keys(files)) {
    const same = taken.get(name.toLowerCase());
    if (same === name) refuse(`it names ${name} among its files, which is its description`);
    if (same) refuse(`its file ${name} is ${same} on a file system that knows no upper case`);
    taken.set(name.toLowerCase(), name);
  }
  for (const name of Object.keys(files)) {
    const file = foldersOf(name.toLowerCase()).find((folder) => taken.has(folder));
    if (file) refuse(`its file ${taken.get(file)} is a folder of its file ${name}`);
  }
}

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

/** The subresource integrity value of a content. */
export const integrityOf = (content: Uint8Array) => `sha384-${createHash('sha384').update(content).digest('base64')}`;
