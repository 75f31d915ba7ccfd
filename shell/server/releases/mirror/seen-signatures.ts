import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ReleaseRejection, type ReleaseSignature } from '@daybook/release';
import * as z from 'zod';
import { makeFolder, replaceFile } from '../store/durable-files.ts';

/** The newest signature of a remote that was accepted, and the version of its release. */
const seenSignatureSchema = z.object({
  version: z.string(),
  key: z.string(),
  signedAt: z.number(),
  expiresAt: z.number(),
  integrity: z.string(),
});
export type SeenSignature = z.infer<typeof seenSignatureSchema>;

/**
 * A file for each signature, with its time in the name, of which all but the newest are removed. One file with the newest
 * would need a lock: of two servers that replace it at once, the one with the older signature may be the last.
 */
const filePattern = /^signature-(\d+)\.json$/;
const fileOf = (folder: string, remote: string, signedAt: number) =>
  path.join(folder, remote, `signature-${signedAt}.json`);

/** Returns the times of the stored signatures, the newest last. */
function timesOf(folder: string, remote: string): readonly number[] {
  try {
    const times = readdirSync(path.join(folder, remote)).flatMap((name) => filePattern.exec(name)?.[1] ?? []);
    return times.map(Number).sort((one, other) => one - other);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Returns the newest signature of a remote that any server on the folder has accepted. */
export function newestSignature(folder: string, remote: string): SeenSignature | undefined {
  const signedAt = timesOf(folder, remote).at(-1);
  if (signedAt === undefined) return undefined;
  try {
    return seenSignatureSchema.parse(JSON.parse(readFileSync(fileOf(folder, remote, signedAt), 'utf8')));
  } catch (error) {
    // Another server has just stored a newer one.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return newestSignature(folder, remote);
    // Its time still counts.
    return { version: 'a damaged file', key: '', signedAt, expiresAt: signedAt, integrity: '' };
  }
}

/**
 * Checks that a signature is the newest of its remote: an origin may offer a release of the past, such as one with a
 * vulnerability, together with its valid signature.
 *
 * @throws ReleaseRejection
 */
export function checkNotOlder(folder: string, remote: string, { signedAt, integrity }: ReleaseSignature): void {
  const newest = newestSignature(folder, remote);
  if (!newest || signedAt > newest.signedAt) return;
  if (signedAt === newest.signedAt && integrity === newest.integrity) return;
  const isoOf = (ms: number) => new Date(ms).toISOString();
  throw new ReleaseRejection(
    'signature',
    signedAt === newest.signedAt
      ? `its signature is of the same second as that of ${newest.version}; release it again`
      : `its signature of ${isoOf(signedAt)} is older than that of ${newest.version} of ${isoOf(newest.signedAt)}, which was seen before; release it again, or roll back as an operator`,
  );
}

/**
 * Stores a signature durably; its release may be activated after that.
 *
 * @throws ReleaseRejection if a newer one was accepted meanwhile
 */
export function rememberSignature(folder: string, remote: string, signature: SeenSignature): void {
  checkNotOlder(folder, remote, signature);
  if (newestSignature(folder, remote)?.signedAt === signature.signedAt) return;
  makeFolder(path.join(folder, remote));
  replaceFile(fileOf(folder, remote, signature.signedAt), `${JSON.stringify(signature)}\n`);
  for (const older of timesOf(folder, remote).slice(0, -1)) rmSync(fileOf(folder, remote, older), { force: true });
}
