import * as z from 'zod';
import { releaseVersionSchema, remoteNameSchema } from './release.ts';

/**
 * How a remote can fail: its files did not arrive or were not the release's, its page threw while rendering, or what
 * it rendered was not its fragment, so that the browser rendered the page anew.
 */
const failureKinds = ['load', 'render', 'hydration'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** What a page says of a remote: nothing of the visitor, nothing of the page's parameters. */
export const pageReportSchema = z.strictObject({
  remote: remoteNameSchema,
  version: releaseVersionSchema,
  route: z.string().max(200),
  /** A failure, or a `view`: that the remote came on the page without the server having served a page of it. */
  kind: z.enum(['view', ...failureKinds]),
  /** From the response that the release came with; needed while a canary of the remote runs. */
  nonce: z.string().max(1_000).optional(),
});
export type PageReport = z.infer<typeof pageReportSchema>;
