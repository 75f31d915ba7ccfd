import * as z from 'zod/mini';
import { filePathSchema, integritySchema } from './release.ts';

/** The file of the shell's build that names the files every page starts with. */
export const shellManifestFileName = 'shell.json';

const initialFileSchema = z.object({ file: filePathSchema, integrity: integritySchema });

export const shellManifestSchema = z.object({
  version: z.string(),
  scripts: z.array(initialFileSchema).check(z.minLength(1)),
  styles: z.array(initialFileSchema),
});
export type ShellManifest = z.infer<typeof shellManifestSchema>;
