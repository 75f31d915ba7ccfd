import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OriginFailure, ReleaseRejection } from '@daybook/release';
import * as z from 'zod';
import { makeFolder, replaceFile } from '../store/durable-files.ts';

/** Why a poll failed: a rejected release, or a failure of the origin or the disk. */
export interface PollProblem {
  /** The metric's `reason` label. */
  readonly reason: string;
  readonly message: string;
}

/** Translates an error of a poll for the operator. */
export function pollProblemOf(error: unknown): PollProblem {
  if (error instanceof ReleaseRejection || error instanceof OriginFailure)
    return { reason: error.reason, message: error.message };
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
    return {
      reason: 'disk-full',
      message: 'the disk of the releases folder is full; free some space, and the next poll continues',
    };
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return {
      reason: 'read-only',
      message: 'the releases folder can’t be written; give it to the user that the server runs as',
    };
  return { reason: 'internal', message };
}

/** A mirror's last result at an origin; for people only, nothing depends on it. */
const originReportSchema = z.object({
  address: z.string(),
  /** The version that the origin offers; `null` if unknown. */
  offered: z.string().nullable(),
  /** Why that version is not in the store, or the poll failed. */
  problem: z.object({ reason: z.string(), message: z.string(), since: z.string() }).nullable(),
});
export type OriginReport = z.infer<typeof originReportSchema>;

const fileOf = (folder: string, remote: string) => path.join(folder, remote, 'origin.json');

/** Reads the last report of a remote's origin; `undefined` if there is none. */
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
