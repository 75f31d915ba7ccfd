import * as z from 'zod/mini';
import { frameSchema } from './frame.ts';
import { filePathSchema, integritySchema } from './release.ts';

/** The file of the shell's build that names the files every page starts with, and has what is drawn around pages. */
export const shellManifestFileName = 'shell.json';

const initialFileSchema = z.object({ file: filePathSchema, integrity: integritySchema });

/** HTML before and after the page. */
const prerenderedFrameSchema = z.object({ before: z.string(), after: z.string() });
export type PrerenderedFrame = z.infer<typeof prerenderedFrameSchema>;

/** Stands for the names of the missing remotes in `missingRemotesPage`. */
export const missingRemotesPlaceholder = 'missing-remotes';

/** Seconds after which a page may be there that has no release yet: in the page's words and in `Retry-After`. */
export const missingRemotesRetryAfter = 10;

export const shellManifestSchema = z.object({
  version: z.string(),
  scripts: z.array(initialFileSchema).check(z.minLength(1)),
  styles: z.array(initialFileSchema),
  /** The surroundings of pages as HTML, made with `fragmentSettings`. */
  frames: z.record(frameSchema, prerenderedFrameSchema),
  /** The page for an unknown path, with its frame. */
  notFoundPage: z.string(),
  /** The page for an unknown path while a remote is missing, with its frame. */
  missingRemotesPage: z.string(),
});
export type ShellManifest = z.infer<typeof shellManifestSchema>;
