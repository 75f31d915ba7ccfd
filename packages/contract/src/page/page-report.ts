import * as z from 'zod';
import { releaseVersionSchema, remoteNameSchema } from '../release/release.ts';

/** A remote's files failed to load, its page threw while rendering, or differed from its fragment. */
export const failureKinds = ['load', 'render', 'hydration'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** A page's report of a remote's failure, without anything about the visitor. */
export const pageReportSchema = z.strictObject({
  remote: remoteNameSchema,
  version: releaseVersionSchema,
  route: z.string().max(200),
  kind: z.enum(failureKinds),
});
export type PageReport = z.infer<typeof pageReportSchema>;
