import * as z from 'zod/mini';
import type { ReleaseChange } from '../../releases/log/release-change.ts';
import { ConflictError } from '../../releases/log/release-log.ts';
import { parsePercent } from '../../releases/percent.ts';
import { ChangeError, type ReleaseChanges } from '../../releases/release-changes.ts';
import { ReleaseRefusal } from '../../releases/store/release-refusal.ts';
import { logWordsSchema } from '../../releases/texts/log-words.ts';

/** What the forms of the page ask for. */
const changeNames = ['rollback', 'pin', 'unpin', 'canary', 'give'] as const;
export type ChangeName = (typeof changeNames)[number];

/** Nothing was asked for that could be done; the message says what is missing. */
class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

const requestSchema = z.object({
  change: z.enum(changeNames, `“change” has to be one of ${changeNames.join(', ')}.`),
  remote: z.string('“remote” is missing.'),
  version: z.optional(z.string()),
  percent: z.optional(z.string()),
  auto: z.optional(z.string()),
  why: z.optional(logWordsSchema('a reason')),
  /** The remote's revision that the page showed; a script may leave it out. */
  revision: z.optional(z.string().check(z.regex(/^\d+$/, '“revision” has to be a number.'))),
});
type ChangeRequest = z.infer<typeof requestSchema>;

function needed<Name extends keyof ChangeRequest>(request: ChangeRequest, name: Name): string {
  const value = request[name];
  if (value) return value;
  throw new MalformedRequest(`“${name}” is missing.`);
}

/**
 * Makes the change that a form asks for.
 *
 * @param form the fields as they were sent
 * @param by the operator
 * @returns the change as the log has it
 * @throws an error that `statusOfRefusal` knows; nothing has changed then
 */
export function makeRequestedChange(form: unknown, by: string, changes: ReleaseChanges): ReleaseChange {
  const parsed = requestSchema.safeParse(form);
  if (!parsed.success) throw new MalformedRequest(parsed.error.issues.map(({ message }) => message).join(' '));
  const request = parsed.data;
  const { change, remote, version, why, revision } = request;
  const reason = { by, why, seen: revision === undefined ? undefined : Number(revision) };
  switch (change) {
    case 'rollback':
      return changes.rollback(remote, reason, version || undefined);
    case 'pin':
      return changes.pin(remote, needed(request, 'version'), reason);
    case 'unpin':
      return changes.unpin(remote, reason);
    case 'canary': {
      const percent = parsePercent(needed(request, 'percent'));
      return changes.canary(remote, needed(request, 'version'), percent, request.auto !== undefined, reason);
    }
    case 'give':
      return changes.canary(remote, needed(request, 'version'), 100, false, reason);
  }
}

/** The status of an answer to a change that was not made: 400, 409 or 422; 500 where the log can't be written. */
export function statusOfRefusal(error: unknown): number {
  if (error instanceof MalformedRequest) return 400;
  if (error instanceof ConflictError || error instanceof ReleaseRefusal) return 409;
  return error instanceof ChangeError ? 422 : 500;
}
