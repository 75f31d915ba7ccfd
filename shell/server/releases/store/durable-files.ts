import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

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
  const made = mkdirSync(folder, { recursive: true });
  if (made) syncFolder(path.dirname(made));
}

/** Writes a file so that a reader, or a crash, finds the old content or the new, never half of one. */
export function replaceFile(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { flush: true });
  renameSync(temporary, file);
  syncFolder(path.dirname(file));
}
