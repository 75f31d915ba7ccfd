import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Syncs a folder's entries to disk; otherwise a crash may lose a rename. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Creates and syncs a folder and its missing parents. */
export function makeFolder(folder: string): void {
  const wanted = path.resolve(folder);
  const made = mkdirSync(wanted, { recursive: true });
  if (!made) return;
  for (let each = wanted; each.length >= made.length; each = path.dirname(each)) syncFolder(path.dirname(each));
}

/** Replaces a file atomically: readers, and a restart after a crash, find either the old or the new content. */
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
