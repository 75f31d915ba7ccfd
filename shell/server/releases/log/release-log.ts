import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder, syncFolder } from '../store/durable-files.ts';
import { type ReleaseChange, releaseChangeSchema } from './release-change.ts';
import { initialState, type RemoteState, reduce } from './remote-state.ts';

export const logFileName = 'log.jsonl';

/** Ends a line that was cut off, so that what is left of it can never count. */
const tornMark = ' (torn)\n';

const newline = 10;

/** Another writer has changed the same remote since its state was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/**
 * The append-only log of the releases folder, which is the active pointer as well: what its lines add up to is
 * what visitors get. Any number of processes may read and append at once; see
 * docs/decisions/2026-11-21-release-store.md.
 */
export class ReleaseLog {
  readonly #file: string;
  readonly #states = new Map<string, RemoteState>();
  readonly #changes: ReleaseChange[] = [];
  /** How many bytes of the file have been read: always whole lines. */
  #read = 0;

  constructor(folder: string) {
    this.#file = path.join(folder, logFileName);
    this.refresh();
  }

  /** What a remote's changes add up to. */
  stateOf(remote: string): RemoteState {
    return this.#states.get(remote) ?? initialState;
  }

  /** Every change that counted, the oldest first. */
  changes(): readonly ReleaseChange[] {
    return this.#changes;
  }

  /** Reads what has been appended since; says whether anything was. */
  refresh(): boolean {
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    try {
      const { size } = fstatSync(descriptor);
      if (size <= this.#read) return false;
      const bytes = Buffer.alloc(size - this.#read);
      const length = readSync(descriptor, bytes, 0, bytes.length, this.#read);
      return this.#add(bytes.subarray(0, length));
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Appends a change, made from the remote's state as it is now; it is on the disk when this returns.
   *
   * @returns the change as it was written
   * @throws ConflictError where another writer was first; nothing has changed then
   * @throws Error where the file can't be written; nothing has changed then
   */
  append(change: Omit<ReleaseChange, 'at' | 'revision'>): ReleaseChange {
    const revision = this.stateOf(change.remote).revision + 1;
    const whole: ReleaseChange = { at: new Date().toISOString(), revision, ...change };
    makeFolder(path.dirname(this.#file));
    const descriptor = openSync(this.#file, 'a+');
    try {
      const { size } = fstatSync(descriptor);
      const line = Buffer.from(`${this.#endsTorn(descriptor, size) ? tornMark : ''}${JSON.stringify(whole)}\n`);
      if (writeSync(descriptor, line) < line.length)
        throw new Error(`${this.#file} can't be written: is the disk full?`);
      fdatasyncSync(descriptor);
      if (size === 0) syncFolder(path.dirname(this.#file));
    } finally {
      closeSync(descriptor);
    }
    this.refresh();
    const counted = this.#changes.findLast(({ remote }) => remote === change.remote);
    if (!isDeepStrictEqual(counted, parse(JSON.stringify(whole))))
      throw new ConflictError(`${change.remote} was changed by somebody else at the same moment.`);
    return whole;
  }

  #endsTorn(descriptor: number, size: number): boolean {
    if (size === 0) return false;
    const last = Buffer.alloc(1);
    readSync(descriptor, last, 0, 1, size - 1);
    return last[0] !== newline;
  }

  #add(bytes: Buffer): boolean {
    const end = bytes.lastIndexOf(newline) + 1;
    this.#read += end;
    for (const line of bytes.subarray(0, end).toString().split('\n')) {
      const change = parse(line);
      if (!change) continue;
      const before = this.stateOf(change.remote);
      const after = reduce(before, change);
      if (after === before) continue;
      this.#states.set(change.remote, after);
      this.#changes.push(change);
    }
    return end > 0;
  }
}

/** A line's change; `undefined` for one that was torn. */
function parse(line: string): ReleaseChange | undefined {
  try {
    return releaseChangeSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
