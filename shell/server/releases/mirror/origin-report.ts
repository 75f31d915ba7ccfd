import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OriginFailure, ReleaseRefusal } from '@daybook/release';
import * as z from 'zod';
import { makeFolder, replaceFile } from '../store/durable-files.ts';

/** Why a release is not taken over, or the origin could not be asked. */
export interface Problem {
  /** The word by which it is counted. */
  readonly reason: string;
  readonly message: string;
}

/** What an error of a poll means for the operator. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ReleaseRefusal || error instanceof OriginFailure)
    return { reason: error.reason, message: error.message };
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return {
      reason: 'disk-full',
      message: 'the disk of the releases folder is full; make room, the next poll goes on',
    };
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return {
      reason: 'read-only',
      message: 'the releases folder can’t be written; give it to the user that the server runs as',
    };
  return { reason: 'internal', message };
}

/** What a mirror last found at an origin; for people to read, nothing depends on it. */
const originReportSchema = z.object({
  address: z.string(),
  /** The version that the origin offers; `null` where it could not be learnt. */
  offered: z.string().nullable(),
  /** Why that version is not in the store, or the origin could not be asked. */
  problem: z.object({ reason: z.string(), message: z.string(), since: z.string() }).nullable(),
});
export type OriginReport = z.infer<typeof originReportSchema>;

const fileOf = (folder: string, remote: string) => path.join(folder, remote, 'origin.json');

/** Reads the last report of a remote's origin; `undefined` where there is none. */
export function readOriginReport(folder: string, remote: string): OriginReport | undefined {
  try {
    return originReportSchema.parse(JSON.parse(readFileSync(fileOf(folder, remote), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces the report of a remote's origin. */
export function writeOriginReport(folder: string, remote: string, report: OriginReport): void {
  makeFolder(path.join(folder, remote));
  replaceFile(fileOf(folder, remote), `${JSON.stringify(report, null, 2)}\n`);
}
