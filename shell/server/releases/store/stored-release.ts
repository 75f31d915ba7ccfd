import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName } from '@daybook/contract';
import { readRelease } from './release-gate.ts';

/** A release that is whole on this server's disk. */
export interface StoredRelease {
  readonly release: Release;
  /** Where its files are. */
  readonly folder: string;
  /** When it was stored, in ms since the epoch. */
  readonly storedAt: number;
}

/** A text that is another when another folder is in this place; `undefined` where none is. */
export function identityOf(folder: string): string | undefined {
  try {
    const { dev, ino, ctimeNs } = statSync(folder, { bigint: true });
    return `${dev} ${ino} ${ctimeNs}`;
  } catch {
    return undefined;
  }
}

/** Reads a release from its folder; gives what is wrong with it where it is not whole. */
export function loadRelease(folder: string, remote: string): StoredRelease | Error {
  try {
    const file = path.join(folder, releaseFileName);
    const release = readRelease(readFileSync(file, 'utf8'), remote, folder);
    if (release.version !== path.basename(folder)) throw new Error(`${file} is of ${release.version}`);
    for (const [name, { size }] of Object.entries(release.files)) {
      const found = statSync(path.join(folder, name), { throwIfNoEntry: false })?.size;
      if (found !== size) throw new Error(`${name} has ${found ?? 'no'} bytes instead of ${size}`);
    }
    return { release, folder, storedAt: statSync(file).mtimeMs };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
