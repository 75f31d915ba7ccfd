import * as z from 'zod';

export const releaseFileName = 'release.json';

export const remoteNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');

/** Package version and hash of the content: `1.2.0-3f9ac2d10b7e`. */
export const releaseVersionSchema = z
  .string()
  .max(100)
  .regex(/^\d+\.\d+\.\d+-[0-9a-f]{12}$/, 'must be <package version>-<12 hex digits>');

/** A file inside the release's own folder: relative, forward slashes, no dot segments. */
export const filePathSchema = z
  .string()
  .max(200)
  .regex(/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/, 'must be a relative path inside the release');

export const integritySchema = z.string().regex(/^sha384-[A-Za-z0-9+/]{64}$/, 'must be a SHA-384 integrity value');

export const releaseFileSchema = z.object({
  integrity: integritySchema,
  /** Size in bytes. */
  size: z.int().nonnegative(),
});
export type ReleaseFile = z.infer<typeof releaseFileSchema>;

/** Paths that the shell server or the edge handles itself, and what begins like them. */
const reserved = /^\/(?:api|assets|remotes|registry|(?:404|healthz|readyz|metrics)(?:\/|$))/;

const textSchema = (maxLength: number) => z.string().max(maxLength, `must have ${maxLength} characters or fewer`);

/** What the shell draws around a page: header and footer, logo and Back to Home, or nothing. */
export const frameSchema = z.enum(['site', 'privacy', 'bare']);
export type Frame = z.infer<typeof frameSchema>;

/** Absolute path without parameters or trailing slash, e.g. `/terms`. */
const pagePathSchema = textSchema(200)
  .regex(
    /^\/(?:[a-z0-9-]+(?:\/[a-z0-9-]+)*)?$/,
    'must begin with / and have only lower-case letters, digits, hyphens, and single slashes between them, such as /cookie-choices',
  )
  .refine((path) => !reserved.test(path), 'is reserved for the shell server');

const pageRouteSchema = z.object({
  path: pagePathSchema,
  title: textSchema(200).min(1),
  description: textSchema(500).min(1),
  frame: frameSchema,
  /** Excludes the page from search engines. */
  noIndex: z.boolean().optional(),
});
export type PageRoute = z.infer<typeof pageRouteSchema>;

export const releaseRouteSchema = pageRouteSchema.extend({
  /** Chunks and styles that the page needs in addition to the entry. */
  files: z.array(filePathSchema),
  /** The page as HTML; without it the page is rendered in the browser only. */
  fragment: filePathSchema.optional(),
  /** For a page that is only text and links: no script is loaded before the visitor does something. */
  hydrate: z.literal('on-interaction').optional(),
  /** Changes if and only if the page does. */
  hash: z
    .string()
    .regex(/^[0-9a-f]{12}$/)
    .optional(),
});
export type ReleaseRoute = z.infer<typeof releaseRouteSchema>;

const redirectsSchema = z.record(z.string(), pagePathSchema).superRefine((redirects, context) => {
  // As the schema of the keys, it would report them without the reason.
  for (const from of Object.keys(redirects)) {
    const { error } = pagePathSchema.safeParse(from);
    if (error) context.addIssue({ code: 'custom', path: [from], message: `${error.issues[0]?.message}` });
  }
});

/** `release.json`. */
export const releaseSchema = z.object({
  name: remoteNameSchema,
  version: releaseVersionSchema,
  /** `apiNumber` of the contract that it was built with. */
  api: z.int().positive(),
  /** The last commit that changed the sources of the release. */
  commit: z
    .string()
    .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a git commit hash')
    .optional(),
  author: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{C}]*$/u, 'must have no control characters')
    .optional(),
  /** The remote entry, one of `files`. */
  entry: filePathSchema,
  routes: z.array(releaseRouteSchema).min(1),
  /** Paths of former pages, each with the page of the site that visitors get instead. */
  redirects: redirectsSchema.optional(),
  files: z.record(filePathSchema, releaseFileSchema),
});

export type Release = z.infer<typeof releaseSchema>;
