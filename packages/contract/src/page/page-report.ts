import * as z from 'zod';
import { releaseVersionSchema, remoteNameSchema } from '../release/release.ts';

/**
 * Kinds of failures of a remote: its files failed to load or did not match the release, its page threw while rendering,
 * or the page differed from its fragment, so that the browser rendered it again.
 */
export const failureKinds = ['load', 'render', 'hydration'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** A page's report of a remote's failure; contains nothing about the visitor and no parameters of the page. */
export const pageReportSchema = z.strictObject({
  remote: remoteNameSchema,
  version: releaseVersionSchema,
  route: z.string().max(200),
  kind: z.enum(failureKinds),
});
export type PageReport = z.infer<typeof pageReportSchema>;
