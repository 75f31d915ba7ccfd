import { hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';

function readOrNothing(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}

/**
 * Where process ids are those of this process: the host since it was started, and its namespace of ids. Servers in
 * containers have namespaces of their own, and most often the same ids in them.
 */
const place = hash(
  'sha256',
  [
    hostname(),
    readOrNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    readOrNothing(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' '),
).slice(0, 16);

/** Tells this process from an earlier one with its id. */
const run = randomUUID().slice(0, 8);

/** Where in the releases folder something is while it is written, and while it is removed. */
export const asideFolder = '.incoming';

/** A name that no other folder has, and that says which process made it. */
export const createAsideName = () => `${place}.${process.pid}.${run}.${randomUUID()}`;

/** A place of its own, beside what is whole, for something that is written or removed. */
export const asidePath = (releasesFolder: string) => path.resolve(releasesFolder, asideFolder, createAsideName());

/** Whether the process is known to have ended that made the folder of this name. */
export function isOfEndedProcess(name: string): boolean {
  const [, madeAt, id, madeBy] = /^([0-9a-f]{16})\.(\d+)\.([0-9a-f]{8})\./.exec(name) ?? [];
  if (madeAt !== place) return false;
  const pid = Number(id);
  if (pid === process.pid) return madeBy !== run;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

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
  // Not of the process's id: servers in containers that share a folder may have the same.
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
