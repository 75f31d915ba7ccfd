import { ReleaseRejection, rejectionReasons } from '../gate/gate.ts';
import { failureReasons, OriginFailure } from '../origins/origin.ts';
import type { PollProblem } from '../registry/release-registry.ts';

/** The reasons of poll problems: of the release, of its origin, and of this server. */
export const pollProblemReasons = [
  ...rejectionReasons,
  ...failureReasons,
  'disk-full',
  'read-only',
  'internal',
] as const;

/** Translates an error for the operator; begins now. */
export const pollProblemOf = (error: unknown): PollProblem => ({ ...explain(error), since: new Date().toISOString() });

function explain(error: unknown): Omit<PollProblem, 'since'> {
  if (error instanceof ReleaseRejection || error instanceof OriginFailure)
    return { reason: error.reason, message: error.message };
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return {
      reason: 'disk-full',
      message: 'the disk of RELEASES_FOLDER is full; free some space, and the next poll continues',
    };
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return {
      reason: 'read-only',
      message: 'RELEASES_FOLDER can’t be written; give it to the user that the server runs as',
    };
  return { reason: 'internal', message };
}
