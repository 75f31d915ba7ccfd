import * as z from 'zod/mini';
import { releaseVersionSchema, remoteNameSchema } from './release.ts';

/** How a remote can fail: its files did not arrive or were not the release's, or its page threw while rendering. */
export const failureKindSchema = z.enum(['load', 'render']);
export type FailureKind = z.infer<typeof failureKindSchema>;

/** What a page says of a remote's failure: nothing of the visitor, nothing of the page's parameters. */
export const failureReportSchema = z.strictObject({
  remote: remoteNameSchema,
  version: releaseVersionSchema,
  /** The route's path as the release declares it. */
  route: z.string().check(z.maxLength(200)),
  kind: failureKindSchema,
});
export type FailureReport = z.infer<typeof failureReportSchema>;
