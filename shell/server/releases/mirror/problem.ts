import { OriginFailure } from '../origins/release-origin.ts';
import { ReleaseRefusal } from '../store/release-refusal.ts';

/** Why a release is not taken over, or the origin could not be asked. */
export interface Problem {
  /** The word by which it is counted. */
  readonly reason: string;
  readonly message: string;
}

/** Codes of a disk or a folder that can't be written, with what to do. */
const diskProblems: Readonly<Record<string, Problem>> = {
  ...fromCodes(['ENOSPC', 'EDQUOT', 'EFBIG'], {
    reason: 'disk-full',
    message: 'the disk of the releases folder is full; make room, the next look goes on',
  }),
  ...fromCodes(['EACCES', 'EPERM', 'EROFS'], {
    reason: 'read-only',
    message: 'the releases folder can’t be written; give it to the user that the server runs as',
  }),
};

function fromCodes(codes: readonly string[], problem: Problem): Record<string, Problem> {
  return Object.fromEntries(codes.map((code) => [code, problem]));
}

/** What an error of a look means for the operator. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ReleaseRefusal || error instanceof OriginFailure)
    return { reason: error.reason, message: error.message };
  const { code = '', message } = error as NodeJS.ErrnoException;
  return diskProblems[code] ?? { reason: 'internal', message };
}
