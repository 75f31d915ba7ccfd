import { hash } from 'node:crypto';
import {
  contractVersion,
  type Release,
  releaseFileName,
  releaseSchema,
  servedContracts,
} from '@daybook/contract/release';
import { fileNameErrors } from './file-names.ts';
import { releaseLimits } from './limits.ts';
import { lineOf } from './line.ts';
import { inlineRemote, register } from './registered-remote.ts';
import { issueTexts, type RejectionReason, ReleaseRejection } from './rejection.ts';

/** What is wrong with a release. */
export type ReleaseError = readonly [reason: RejectionReason, message: string];

/** Counts before the schema is applied, which takes microseconds per value, and more per invalid one. */
function countErrors(json: unknown): readonly ReleaseError[] {
  const { routes, redirects, files } = (json ?? {}) as Readonly<Record<'routes' | 'redirects' | 'files', unknown>>;
  const listed = Array.isArray(routes) ? routes : [];
  const ofRoutes = listed
    .slice(0, releaseLimits.routes)
    .map((route: { readonly files?: unknown } | null) => route?.files);
  const maxFiles = Math.max(0, ...ofRoutes.map((each) => (Array.isArray(each) ? each.length : 0)));
  const check = (count: number, limit: number, what: string): readonly ReleaseError[] =>
    count > limit ? [['too-large', `it has ${count} ${what}; at most ${limit} are accepted`]] : [];
  return [
    ...check(listed.length, releaseLimits.routes, 'routes'),
    ...check(Object.keys(redirects ?? {}).length, releaseLimits.redirects, 'redirects'),
    ...check(maxFiles, releaseLimits.filesOfRoute, 'files for one route'),
    ...check(Object.keys(files ?? {}).length, releaseLimits.files, 'files'),
  ];
}

function sizeErrors(release: Release): readonly ReleaseError[] {
  const { files, routes } = release;
  const check = (what: string, size: number, limit: number, advice = ''): readonly ReleaseError[] =>
    size > limit ? [['too-large', `${what} has ${size} bytes; at most ${limit} are accepted${advice}`]] : [];
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  const metadata = routes.map(({ files: _, fragment: __, ...rest }) => rest);
  const documents = routes.map(({ path, fragment = '', files: ofRoute }) => {
    const contained = [fragment, ...ofRoute.filter((file) => file.endsWith('.css'))];
    return { path, size: sum(contained.map((file) => files[file]?.size ?? 0)) };
  });
  return [
    ...Object.entries(files).flatMap(([name, { size }]) => check(`its file ${name}`, size, releaseLimits.fileSize)),
    ...check('it', sum(Object.values(files).map(({ size }) => size)), releaseLimits.size),
    ...check('the metadata of its routes', Buffer.byteLength(JSON.stringify(metadata)), releaseLimits.routeText),
    ...check(
      'what every page of the site contains of it (paths and titles of its routes, and redirects)',
      inlinedBytes(release),
      releaseLimits.inlined,
      '; shorten titles, or remove routes or redirects',
    ),
    ...documents.flatMap(({ path, size }) => check(`the page ${path} with its styles`, size, releaseLimits.document)),
    ...check('all pages together', sum(documents.map(({ size }) => size)), releaseLimits.documents),
  ];
}

/** As a page has it: `<` is escaped. */
const inlinedBytes = (release: Release) =>
  Buffer.byteLength(JSON.stringify(inlineRemote(register(release))).replaceAll('<', '\\u003c'));

function completenessErrors({ entry, files, routes }: Release): readonly ReleaseError[] {
  const has = (file: string) => Object.hasOwn(files, file);
  const paths = routes.map(({ path }) => path);
  const twice = new Set(paths.filter((path, index) => paths.indexOf(path) !== index));
  return [
    ...(has(entry) ? [] : [['incomplete', `its entry ${entry} is not among its files`] as const]),
    ...routes.flatMap((route) =>
      [...route.files, ...(route.fragment ? [route.fragment] : [])]
        .filter((file) => !has(file))
        .map((file) => ['incomplete', `${file}, which ${route.path} needs, is not among its files`] as const),
    ),
    ...[...twice].map((path) => ['malformed', `two of its routes have the path ${path}`] as const),
    ...routes
      .filter(({ movesTo, takenFrom }) => movesTo && takenFrom)
      .map(({ path }) => ['malformed', `its route ${path} has movesTo and takenFrom; remove takenFrom`] as const),
  ];
}

function parse(text: string): Release {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    const start = lineOf(text.slice(0, 400), 40);
    throw new ReleaseRejection(
      'malformed',
      start ? `${releaseFileName} is not JSON: ${start}` : `${releaseFileName} is empty`,
    );
  }
  const contract = (json as { contract?: unknown } | null)?.contract;
  // Checked first: a release for another contract may differ in every field.
  if (typeof contract === 'number' && !servedContracts.includes(contract)) {
    const served = `this shell serves ${servedContracts.join(' and ')}`;
    throw new ReleaseRejection(
      'contract',
      contract > contractVersion
        ? `it needs a newer shell: it is built for contract ${contract}, and ${served}`
        : `it is too old for this shell: it is built for contract ${contract}, and ${served}; build and release it again`,
    );
  }
  throwErrors(countErrors(json));
  const parsed = releaseSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = issueTexts(parsed.error, json).map((issue) => lineOf(issue, 400));
  throw new ReleaseRejection('malformed', ...issues.map((issue) => `${releaseFileName} is not valid: ${issue}`));
}

/** @throws ReleaseRejection with all of them, if there are any */
export function throwErrors(errors: readonly ReleaseError[]): void {
  const [first] = errors;
  if (first) throw new ReleaseRejection(first[0], ...errors.map(([, message]) => message));
}

/**
 * Parses a manifest, `release.json`, and checks everything that it states: the remote, the contract version, the entry and
 * every page's chunks and styles, file names and sizes. The only place where a manifest is parsed.
 *
 * @param remote expected name of the release
 * @throws ReleaseRejection with every error
 */
export function readManifest(text: string, remote: string): Release {
  const release = parse(text);
  if (release.name !== remote) throw new ReleaseRejection('foreign', `it is a release of ${release.name}`);
  throwErrors([
    ...fileNameErrors(release).map((message) => ['malformed', message] as const),
    ...completenessErrors(release),
    ...sizeErrors(release),
  ]);
  return release;
}

/** Returns a release without the fields that its version does not cover: equal releases may come from different commits. */
export const contentOf = ({ commit: _, author: __, designSystem: ___, ...content }: Release) => content;

/** Returns the subresource integrity value of a content. */
export const integrityOf = (content: Uint8Array) => `sha384-${hash('sha384', content, 'base64')}`;
