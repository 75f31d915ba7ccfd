import * as z from 'zod/mini';

/**
 * The surroundings that the shell draws around a page: `site` (logo header, footer), `privacy` (logo that
 * links home, Back to Home) or `bare` (nothing, not even the main landmark; the accessible view brings its own).
 */
export const frameSchema = z.enum(['site', 'privacy', 'bare']);
export type Frame = z.infer<typeof frameSchema>;
