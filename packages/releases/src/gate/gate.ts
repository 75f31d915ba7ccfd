import { hash } from 'node:crypto';
import {
  contractVersion,
  formerContractVersion,
  pathConflict,
  type Release,
  redirectProblem,
  releaseFileName,
  releaseSchema,
} from '@daybook/contract/release';
import { type DescriptionFile, previewFileName, signedFileName } from '../origins/origin.ts';
import { describeIssues } from './issues.ts';

/** Why a release is rejected; also the metric's `reason` label. */
export const rejectionReasons = [
  'malformed',
  'foreign',
  'contract',
  'incomplete',
  'collision',
  'too-large',
  'fragment',
  'tampered',
  'version-reused',
  'signature',
] as const;

const maxMessage = 500;

/** Thrown for a release that this shell rejects; the message states the reason and the fix. */
export class ReleaseRejection extends Error {
  override readonly name = 'ReleaseRejection';
  readonly reason: (typeof rejectionReasons)[number];

  /**
   * @param message is stripped of control characters, which a terminal would act on, and truncated: text quoted from a
   *   release may be hostile and very long
   */
  constructor(reason: ReleaseRejection['reason'], message: string) {
    const line = message.slice(0, 4 * maxMessage).replaceAll(/[\s\p{C}]+/gu, ' ');
    // Well-formed: PostgreSQL stores no half of a character, so the rejection would be listed nowhere.
    super(line.length > maxMessage ? `${line.slice(0, maxMessage).toWellFormed()} …` : line);
    this.reason = reason;
  }
}

/** Far above any honest release; sizes in bytes. */
export const releaseLimits = {
  /** Of `release.json`: a file of only brackets takes a third of a millisecond per kB to parse. */
  description: 300_000,
  /** Of the signature before it in `release.jws` and `preview.jws`. */
  signature: 3_000,
  files: 2_000,
  /** Number of folders, and their nesting depth: each folder is created and synced. */
  folders: 100,
  depth: 8,
  routes: 200,
  redirects: 100,
  /** Bytes of what a page of any remote carries of this one: paths, titles and frames of its routes, and redirects. */
  inlined: 8_000,
  /** Chunks and styles of a route: its page links all of them. */
  filesOfRoute: 100,
  /** Characters of a file's path, and of a version. */
  name: 200,
  fileSize: 20_000_000,
  size: 60_000_000,
  /** Fragment and styles of a page's document, and of all pages together: documents are cached in memory. */
  document: 1_000_000,
  documents: 10_000_000,
} as const;

/** Returns the max size of a description, in bytes. */
export const maxDescription = (file: DescriptionFile) =>
  releaseLimits.description + (file === releaseFileName ? 0 : releaseLimits.signature);

/** Checks counts before the schema is applied, which takes microseconds per value, and more per invalid one. */
function checkCounts(json: unknown): void {
  const { routes, redirects, files } = (json ?? {}) as Readonly<Record<'routes' | 'redirects' | 'files', unknown>>;
  const listed = Array.isArray(routes) ? routes : [];
  const ofRoutes = listed
    .slice(0, releaseLimits.routes)
    .map((route: { readonly files?: unknown } | null) => route?.files);
  const maxFiles = Math.max(0, ...ofRoutes.map((each) => (Array.isArray(each) ? each.length : 0)));
  checkCount(listed.length, releaseLimits.routes, 'routes');
  checkCount(Object.keys(redirects ?? {}).length, releaseLimits.redirects, 'redirects');
  checkCount(maxFiles, releaseLimits.filesOfRoute, 'files for one route');
  checkCount(Object.keys(files ?? {}).length, releaseLimits.files, 'files');
}

function checkCount(count: number, limit: number, what: string): void {
  if (count > limit) throw new ReleaseRejection('too-large', `it has ${count} ${what}; at most ${limit} are accepted`);
}

/** @throws ReleaseRejection if a release exceeds a size limit */
function checkSizes({ files, routes, redirects = {} }: Release): void {
  const checkSize = (what: string, size: number, limit: number, advice = '') => {
    if (size > limit)
      throw new ReleaseRejection('too-large', `${what} has ${size} bytes; at most ${limit} are accepted${advice}`);
  };
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  for (const [name, { size }] of Object.entries(files)) checkSize(`its file ${name}`, size, releaseLimits.fileSize);
  checkSize('it', sum(Object.values(files).map(({ size }) => size)), releaseLimits.size);
  const inlined = JSON.stringify([routes.map(({ path, title, frame }) => ({ path, title, frame })), redirects]);
  checkSize(
    'what every page of the site contains of it (paths and titles of its routes, and redirects)',
    Buffer.byteLength(inlined),
    releaseLimits.inlined,
    '; shorten titles, or remove routes or redirects',
  );
  const documents = routes.map((route) => {
    const held = [route.fragment ?? '', ...route.files.filter((file) => file.endsWith('.css'))];
    const size = sum(held.map((file) => files[file]?.size ?? 0));
    checkSize(`the page ${route.path} with its styles`, size, releaseLimits.document);
    return size;
  });
  checkSize('all pages together', sum(documents), releaseLimits.documents);
}

/** Returns the folders of a file: `a` and `a/b` for `a/b/c.js`. */
export function foldersOf(name: string): readonly string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Precompressed forms of the descriptions: a web server sends them in place of those. */
const precompressedDescription = /^(?:release\.(?:json|jws)|preview\.jws)\./i;

/**
 * Checks that a release's files can be stored in one folder beside `release.json`, on any file system, and that none is
 * served in its place.
 *
 * @throws ReleaseRejection naming the file that can't
 */
function checkNames({ version, files }: Release): void {
  const reject = (what: string) => {
    throw new ReleaseRejection('malformed', what);
  };
  const names = Object.keys(files);
  const long = [version, ...names].find((name) => name.length > releaseLimits.name);
  if (long) reject(`${long.slice(0, 40)} … has ${long.length} characters; at most ${releaseLimits.name} are accepted`);
  const deep = names.find((name) => foldersOf(name).length > releaseLimits.depth);
  if (deep) reject(`its file ${deep} is in more than ${releaseLimits.depth} folders`);
  const folders = new Set(names.flatMap(foldersOf));
  if (folders.size > releaseLimits.folders)
    reject(`its files are in ${folders.size} folders; at most ${releaseLimits.folders} are accepted`);
  const sentInstead = names.find((name) => precompressedDescription.test(name));
  if (sentInstead) reject(`its file ${sentInstead} would be sent in place of its description`);
  const used = new Map<string, string>([releaseFileName, signedFileName, previewFileName].map((name) => [name, name]));
  for (const name of names) {
    const same = used.get(name.toLowerCase());
    if (same === name) reject(`it lists ${name} among its files, which is its description`);
    if (same) reject(`its file ${name} is ${same} on a case-insensitive file system`);
    used.set(name.toLowerCase(), name);
  }
  for (const name of names) {
    const file = foldersOf(name.toLowerCase()).find((folder) => used.has(folder));
    if (file) reject(`its file ${used.get(file)} is a folder of its file ${name}`);
  }
}

/** Quotes text from an origin in one truncated line, without control characters that would steer a terminal. */
const quote = (text: string, length: number) => {
  const line = text.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > length ? `${line.slice(0, length)} …` : line;
};

function parse(text: string, origin: string): Release {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ReleaseRejection(
      'malformed',
      `${origin}/${releaseFileName} is not JSON: ${quote(text.slice(0, 400), 40)}`,
    );
  }
  const contract = (json as { contract?: unknown } | null)?.contract;
  // Checked first: a release for another contract may differ in every field.
  if (typeof contract === 'number' && (contract > contractVersion || contract < formerContractVersion)) {
    const served = `this shell serves contracts ${formerContractVersion} to ${contractVersion}`;
    throw new ReleaseRejection(
      'contract',
      contract > contractVersion
        ? `it needs a newer shell: it is built for contract ${contract}, and ${served}`
        : `it is too old for this shell: it is built for contract ${contract}, and ${served}; build and release it again`,
    );
  }
  checkCounts(json);
  const parsed = releaseSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new ReleaseRejection(
    'malformed',
    `${releaseFileName} is not valid: ${quote(describeIssues(parsed.error, json), 400)}`,
  );
}

function checkComplete({ entry, files, routes }: Release): void {
  const has = (file: string) => Object.hasOwn(files, file);
  if (!has(entry)) throw new ReleaseRejection('incomplete', `its entry ${entry} is not among its files`);
  for (const route of routes) {
    const missing = [...route.files, ...(route.fragment ? [route.fragment] : [])].find((file) => !has(file));
    if (missing)
      throw new ReleaseRejection('incomplete', `${missing}, which ${route.path} needs, is not among its files`);
  }
  const paths = routes.map(({ path }) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice) throw new ReleaseRejection('malformed', `two of its routes have the path ${twice}`);
  const both = routes.find(({ movesTo, takenFrom }) => movesTo && takenFrom);
  if (both)
    throw new ReleaseRejection('malformed', `its route ${both.path} has movesTo and takenFrom; remove takenFrom`);
}

/**
 * Parses `release.json` and checks everything that it states: the remote, the contract version, the entry and every
 * page's chunks and styles, file names and sizes.
 *
 * @param remote expected name of the release
 * @param origin source of the text, for the message
 * @throws ReleaseRejection with the reason
 */
export function readRelease(text: string, remote: string, origin: string): Release {
  const release = parse(text, origin);
  if (release.name !== remote) throw new ReleaseRejection('foreign', `it is a release of ${release.name}`);
  checkNames(release);
  checkComplete(release);
  checkSizes(release);
  return release;
}

/**
 * Checks that no other remote serves one of a release's paths: the running remote keeps the path, unless it moves.
 *
 * @param others the releases that other remotes serve
 * @param compared the release that visitors get of the same remote, and whether this one was published before
 * @throws ReleaseRejection naming the path and its owner
 */
export function checkCollisions(
  release: Release,
  others: readonly Release[],
  compared: Parameters<typeof pathConflict>[2] = {},
): void {
  const conflict = pathConflict(release, others, compared);
  if (conflict) throw new ReleaseRejection('collision', conflict);
}

/**
 * Checks that a release's redirects lead to pages. Only when it is published: a rollback must not depend on the pages that
 * other remotes have by then.
 *
 * @throws ReleaseRejection naming the redirect
 */
export function checkRedirects(release: Release, others: readonly Release[]): void {
  const problem = redirectProblem(release, others);
  if (problem) throw new ReleaseRejection('collision', problem);
}

/** Returns the subresource integrity value of a content. */
export const integrityOf = (content: Uint8Array) => `sha384-${hash('sha384', content, 'base64')}`;
