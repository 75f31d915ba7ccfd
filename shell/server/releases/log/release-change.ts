import { releaseVersionSchema, remoteNameSchema } from '@daybook/contract';
import * as z from 'zod/mini';

/**
 * One change of what a remote's visitors get, as a line of the release log.
 *
 * `activate` makes a release the active one, `rollback` takes `from` back and withdraws it, `pin` activates and
 * holds a release, `unpin` lets newer ones follow again, `canary` gives a release to some visitors.
 */
export const releaseChangeSchema = z.object({
  at: z.iso.datetime(),
  remote: remoteNameSchema,
  /** One more than the remote's last change; a line with another number is void. */
  revision: z.int().check(z.minimum(1)),
  action: z.enum(['activate', 'rollback', 'pin', 'unpin', 'canary']),
  /** The release that was given, or taken back; `null` before the first. */
  from: z.nullable(releaseVersionSchema),
  /** The release that is given from now on; for a canary, to some visitors. */
  to: releaseVersionSchema,
  /** Of a canary: the share of visitors, 1 to 99. */
  percent: z.optional(z.int().check(z.minimum(1), z.maximum(99))),
  /** Of a canary: whether the server may end it by itself. */
  auto: z.optional(z.boolean()),
  why: z.string(),
  by: z.string(),
});
export type ReleaseChange = z.infer<typeof releaseChangeSchema>;
