import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where in the releases folder something is while it is written, and while it is removed. */
export const asideFolder = '.incoming';

/** A place of its own, beside what is whole, for something that is written or removed. */
export const asidePath = (releasesFolder: string) => path.resolve(releasesFolder, asideFolder, randomUUID());

/** Puts a folder's list of names on the disk; without it, a rename may be forgotten in a crash. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a folder and those above it, where they are missing. */
export function makeFolder(folder: string): void {
  const wanted = path.resolve(folder);
  const made = mkdirSync(wanted, { recursive: true });
  if (!made) return;
  for (let each = wanted; each.length >= made.length; each = path.dirname(each)) syncFolder(path.dirname(each));
}

/** Writes a file so that a reader, or a crash, finds the old content or the new, never half of one. */
export function replaceFile(file: string, content: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, content, { flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(file));
}
