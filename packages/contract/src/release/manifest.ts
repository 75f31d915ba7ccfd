// For Node: builds, the release command and the shell server.
import { hash } from 'node:crypto';
import type * as z from 'zod';
import { apiNumber } from './api-number.ts';
import { type Release, releaseFileName, releaseSchema } from './release.ts';

/** Upper bounds; a real release has about 300 kB. Sizes in bytes. */
export const releaseLimits = {
  /** A whole upload. */
  size: 20_000_000,
  /** Its `release.json`. */
  manifest: 300_000,
  files: 2_000,
  routes: 200,
  redirects: 100,
  filesOfRoute: 100,
  /** What every page of the site has of this remote: paths and titles of its routes, and redirects. */
  inlined: 8_000,
  /** The metadata of all routes, which `/registry.json` and the sitemap have. */
  routeText: 64_000,
  /** A page with its styles, which servers keep in memory. */
  document: 1_000_000,
  documents: 10_000_000,
} as const;

/** Thrown for a `release.json` that no site takes. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

export const integrityOf = (content: Uint8Array) => `sha384-${hash('sha384', content, 'base64')}`;

/** Returns the name under which a file is stored: its SHA-384 in base64url. */
export const hashOf = (integrity: string) =>
  integrity.slice('sha384-'.length).replaceAll('+', '-').replaceAll('/', '_');

/** Makes one line of an untrusted text. */
export function oneLine(text: string, length = 300): string {
  const line = text
    .slice(0, 4 * length)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  return line.length > length ? `${line.slice(0, length).toWellFormed()} …` : line;
}

const maxErrors = 20;

/** @param count how many errors there are, if `errors` are only the first ones */
export const limitErrors = (errors: readonly string[], count = errors.length): readonly string[] =>
  count > maxErrors ? [...errors.slice(0, maxErrors), `And ${count - maxErrors} more.`] : errors;

/** Returns the errors of a schema, such as `routes[2] (/press).title must have 200 characters or fewer`. */
export function issueTexts({ issues }: Pick<z.ZodError, 'issues'>, value: unknown): readonly string[] {
  return issues.map(({ path, message }) => {
    let [name, found] = ['', value];
    for (const key of path) {
      found = Object(found)[key];
      name += typeof key === 'number' ? `[${key}]` : `.${String(key)}`;
      const route = Object(found).path;
      if (typeof route === 'string') name += ` (${route.slice(0, 60)})`;
    }
    const quoted = typeof found === 'string' && found.length <= 60 ? ` “${found}”` : '';
    return oneLine(`${name.replace(/^\./, '') || 'it'}${quoted}${/^[a-z]/.test(message) ? '' : ':'} ${message}`);
  });
}

const fail = (...errors: readonly string[]): never => {
  throw new ManifestError(limitErrors(errors));
};

/** Counts before the schema is applied, which is slow. */
function countErrors(json: unknown): readonly string[] {
  const { routes, redirects, files } = Object(json) as Readonly<Record<'routes' | 'redirects' | 'files', unknown>>;
  const listed: readonly unknown[] = Array.isArray(routes) ? routes : [];
  const filesOf = (route: unknown) => Object.keys(Object(Object(route).files)).length;
  const counts = [
    ['routes', listed.length, releaseLimits.routes],
    ['redirects', Object.keys(Object(redirects)).length, releaseLimits.redirects],
    ['files', Object.keys(Object(files)).length, releaseLimits.files],
    [
      'files for one route',
      Math.max(0, ...listed.slice(0, releaseLimits.routes).map(filesOf)),
      releaseLimits.filesOfRoute,
    ],
  ] as const;
  return counts.flatMap(([what, count, limit]) =>
    count > limit ? `It has ${count} ${what}; at most ${limit} are possible.` : [],
  );
}

function parse(text: string): Release {
  if (Buffer.byteLength(text) > releaseLimits.manifest)
    fail(`${releaseFileName} has more than ${releaseLimits.manifest} bytes.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    fail(text.trim() === '' ? `${releaseFileName} is empty.` : `${releaseFileName} is not JSON: ${oneLine(text, 40)}`);
  }
  const tooMany = countErrors(json);
  if (tooMany.length > 0) fail(...tooMany);
  const { data, error } = releaseSchema.safeParse(json);
  if (data) return data;
  const { issues } = error as z.ZodError;
  const first = issueTexts({ issues: issues.slice(0, maxErrors) }, json);
  throw new ManifestError(
    limitErrors(
      first.map((issue) => `${releaseFileName}: ${issue}.`),
      issues.length,
    ),
  );
}

export const inlinedMetadata = ({ name, version, entry, routes, redirects }: Release) => ({
  ...{ name, version, entry, redirects },
  routes: routes.map(({ path, title, frame }) => ({ path, title, frame })),
});

function sizeErrors(release: Release): readonly string[] {
  const { files, routes } = release;
  const check = (what: string, size: number, limit: number) =>
    size > limit ? [`${what} has ${size} bytes; at most ${limit} are possible.`] : [];
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value).replaceAll('<', '\\u003c'));
  const documents = routes.map(({ path, fragment, files: ofRoute }) => {
    const parts = [...(fragment ? [fragment] : []), ...ofRoute.filter((file) => file.endsWith('.css'))];
    return { path, size: sum(parts.map((file) => files[file]?.size ?? 0)) };
  });
  return [
    ...check('It', sum(Object.values(files).map(({ size }) => size)), releaseLimits.size),
    ...check(
      'The metadata of its routes',
      bytes(routes.map(({ files: _, ...route }) => route)),
      releaseLimits.routeText,
    ),
    ...check(
      'What every page of the site has of it (paths and titles of its routes, redirects)',
      bytes(inlinedMetadata(release)),
      releaseLimits.inlined,
    ),
    ...documents.flatMap(({ path, size }) => check(`The page ${path} with its styles`, size, releaseLimits.document)),
    ...check('All pages together', sum(documents.map(({ size }) => size)), releaseLimits.documents),
  ];
}

function missingErrors({ entry, files, routes }: Release): readonly string[] {
  const has = (file: string) => Object.hasOwn(files, file);
  const paths = routes.map(({ path }) => path);
  const twice = new Set(paths.filter((path, index) => paths.indexOf(path) !== index));
  return [
    ...(has(entry) ? [] : [`Its entry ${entry} is not among its files.`]),
    ...routes.flatMap(({ path, files: ofRoute, fragment }) =>
      [...ofRoute, ...(fragment ? [fragment] : [])]
        .filter((file) => !has(file))
        .map((file) => `${file}, which ${path} needs, is not among its files.`),
    ),
    ...[...twice].map((path) => `Two of its routes have the path ${path}.`),
  ];
}

/**
 * Parses `release.json` and checks all that it states.
 *
 * @param remote expected name of the release
 * @param api `apiNumber` of the site
 * @throws ManifestError with every error
 */
export function readManifest(text: string, remote: string, api: number = apiNumber): Release {
  const release = parse(text);
  const errors = [
    ...(release.name === remote ? [] : [`It is a release of ${release.name}, not of ${remote}.`]),
    ...(release.api <= api
      ? []
      : [`It needs API ${release.api}, and the site has ${api}: release shell and backend first, then ${remote}.`]),
    ...missingErrors(release),
    ...sizeErrors(release),
  ];
  return errors.length > 0 ? fail(...errors) : release;
}
