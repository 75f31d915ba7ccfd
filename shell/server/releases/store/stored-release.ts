import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ReleaseFile, releaseFileName } from '@daybook/contract';
import type { KeptRelease } from '../site-releases.ts';
import { readCheckedFragments } from './checked-fragments.ts';
import { readRelease } from './release-gate.ts';

/** A release that is whole on this server's disk. */
export interface StoredRelease extends KeptRelease {
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
    checkSizes(folder, release.files);
    const fragments = readCheckedFragments(folder);
    if (fragments) checkSizes(fragments.folder, fragments.files);
    return { release, folder, fragments, storedAt: statSync(file).mtimeMs };
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function checkSizes(folder: string, files: Readonly<Record<string, ReleaseFile>>): void {
  for (const [name, { size }] of Object.entries(files)) {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false })?.size;
    if (found !== size) throw new Error(`${name} has ${found ?? 'no'} bytes instead of ${size}`);
  }
}
