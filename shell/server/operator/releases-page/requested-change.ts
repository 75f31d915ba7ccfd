import { ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import { ConflictError } from '../../releases/log/release-log.ts';
import type { ReleaseChange } from '../../releases/log/remote-state.ts';
import { ChangeError, logWordsSchema, parsePercent, type ReleaseChanges } from '../../releases/release-changes.ts';
import { changeNames } from './change-forms.ts';

/** The form lacks something; the message says what. */
class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest';
}

const requestSchema = z.object({
  change: z.enum(changeNames, `“change” has to be one of ${changeNames.join(', ')}.`),
  remote: z.string('“remote” is missing.'),
  version: z.string().optional(),
  percent: z.string().optional(),
  auto: z.string().optional(),
  why: logWordsSchema('a reason').optional(),
  /** The remote's revision that the page showed; a script may leave it out. */
  revision: z.string().regex(/^\d+$/, '“revision” has to be a number.').transform(Number).optional(),
});

function needed(value: string | undefined, name: string): string {
  if (value) return value;
  throw new MalformedRequest(`“${name}” is missing.`);
}

/**
 * Makes the change that a form asks for.
 *
 * @param form the fields as they were sent
 * @param by the operator
 * @returns the change as the log has it
 * @throws an error that `statusOfFailure` knows; nothing has changed then
 */
export function makeRequestedChange(form: unknown, by: string, changes: ReleaseChanges): ReleaseChange {
  const parsed = requestSchema.safeParse(form);
  if (!parsed.success) throw new MalformedRequest(parsed.error.issues.map(({ message }) => message).join(' '));
  const { change, remote, version, percent, auto, why, revision } = parsed.data;
  const reason = { by, why, seen: revision };
  switch (change) {
    case 'rollback':
      return changes.rollback(remote, reason, version || undefined);
    case 'pin':
      return changes.pin(remote, needed(version, 'version'), reason);
    case 'unpin':
      return changes.unpin(remote, reason);
    case 'canary': {
      const share = parsePercent(needed(percent, 'percent'));
      return changes.canary(remote, needed(version, 'version'), share, auto !== undefined, reason);
    }
    case 'give':
      return changes.canary(remote, needed(version, 'version'), 100, false, reason);
  }
}

/** The status of the response to a change that was not made; 500 where the log can't be written. */
export function statusOfFailure(error: unknown): number {
  if (error instanceof MalformedRequest) return 400;
  if (error instanceof ConflictError || error instanceof ReleaseRefusal) return 409;
  return error instanceof ChangeError ? 422 : 500;
}
