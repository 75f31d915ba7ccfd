import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { makeFolder, replaceFile } from '../store/durable-files.ts';

/** What a mirror last found at an origin; for people to read, nothing depends on it. */
const originReportSchema = z.object({
  address: z.string(),
  /** The version that the origin offers; `null` where it could not be learnt. */
  offered: z.nullable(z.string()),
  /** Why that version is not in the store, or the origin could not be asked. */
  problem: z.nullable(z.object({ reason: z.string(), message: z.string(), since: z.string() })),
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
