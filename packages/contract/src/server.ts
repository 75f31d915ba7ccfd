// What only servers and builds read: the shell's manifest, and the operator's settings.
import * as z from 'zod';
import { filePathSchema, frameSchema, integritySchema, releaseFileSchema } from './release/release.ts';
import { offerIds, type SiteSettings } from './site.ts';

/** The file of the shell's build that lists the files every page starts with, and contains the frames around pages. */
export const shellManifestFileName = 'shell.json';

/** The page of all components, in development builds of the shell. */
export const componentsPageFileName = 'components.html';

/** File beside a watching build with the errors of its last compilation as text; only while it has any. */
export const buildErrorsFileName = 'errors.txt';

const initialFileSchema = z.object({ file: filePathSchema, integrity: integritySchema });

const prerenderedFrameSchema = z.object({ before: z.string(), after: z.string() });

/** Scripts that the shell server puts into documents: `src/inline` of the shell, where each says what it does. */
const inlineScriptsSchema = z.object({ first: z.string(), font: z.string(), later: z.string(), preload: z.string() });
export type InlineScripts = z.infer<typeof inlineScriptsSchema>;

export const shellManifestSchema = z.object({
  version: z.string(),
  scripts: z.array(initialFileSchema).min(1),
  styles: z.array(initialFileSchema),
  /** All files but compressed ones, for a development server elsewhere. */
  files: z.record(filePathSchema, releaseFileSchema),
  inlineScripts: inlineScriptsSchema,
  /** The frames as HTML, rendered with `fragmentSettings`. */
  frames: z.record(frameSchema, prerenderedFrameSchema),
  /** The page for an unknown path, with its frame. */
  notFoundPage: z.string(),
  /** The page for an unknown path while a remote is missing, with its frame. */
  missingRemotesPage: z.string(),
});
export type ShellManifest = z.infer<typeof shellManifestSchema>;

const webUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https address' });

export const siteSettingsSchema = z.object({
  supportAddress: z.string().regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
  sponsorAddresses: z.record(z.enum(offerIds), webUrlSchema),
  housingGuideAddress: webUrlSchema,
  privacyRequests: z.enum(['simulate', 'record'], 'must be simulate or record'),
}) satisfies z.ZodType<SiteSettings>;
