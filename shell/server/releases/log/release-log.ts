import { appendFileSync, closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { remoteNameSchema } from '@daybook/contract/release';
import { makeFolder, syncFolder } from '../store/durable-files.ts';
import { initialState, type ReleaseChange, type RemoteState, reduce, releaseChangeSchema } from './remote-state.ts';

/** Describes an unreadable line, which may have been any change; its remote is usually still legible. */
function describeUnreadable(line: number, text: string): string {
  const [, name] = /"remote":\s*"([^"]*)"/.exec(text) ?? [];
  const remote = remoteNameSchema.safeParse(name).data;
  return `Line ${line} of the release log${remote ? `, of ${remote},` : ''} can't be read; what it changed does not count.`;
}

/** Describes a change after missing ones: it was made from an unknown state. */
function describeGap(line: number, { remote, revision, action, to }: ReleaseChange, last: number): string {
  return `Line ${line} of the release log, ${action} of ${remote} to ${to}, does not count: it is change ${revision} of ${remote}, and ${last + 1} is missing.`;
}

export const logFileName = 'log.jsonl';

/** Ends a line that was cut off, so that the rest of it is never parsed as a change. */
const tornMark = ' (torn)\n';

const newline = 10;

/** Thrown if another writer has changed the same remote since its state was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/**
 * The append-only log of the releases folder. It also determines the active releases: the sum of its lines is the
 * current state. Any number of processes may read and append at once; see
 * docs/decisions/2026-11-22-release-store.md.
 */
export class ReleaseLog {
  readonly #file: string;
  readonly #onProblem: (problem: string) => void;
  /** Problems reported already; not repeated when the log is read again. */
  readonly #reported = new Set<string>();
  readonly #states = new Map<string, RemoteState>();
  #changes: ReleaseChange[] = [];
  #problems: string[] = [];
  #lines = 0;
  /** Number of bytes read from the file: always whole lines. */
  #read = 0;
  /** The last line read; if it is no longer in its place, the file was replaced. */
  #lastLine = Buffer.alloc(0);

  /** @param onProblem called once with each problem of the log: a sentence with the line and, if known, the remote */
  constructor(folder: string, onProblem: (problem: string) => void = () => undefined) {
    this.#onProblem = onProblem;
    this.#file = path.join(folder, logFileName);
    this.refresh();
  }

  stateOf(remote: string): RemoteState {
    return this.#states.get(remote) ?? initialState;
  }

  /** Returns the valid changes, the oldest first. */
  changes(): readonly ReleaseChange[] {
    return this.#changes;
  }

  /**
   * Returns the problems of the log in the order of its lines. Only a process that has read the log before can detect
   * that it was replaced by a shorter one.
   */
  problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * Reads the lines appended since; returns whether there were any. A log that replaced this one, such as a backup, is
   * read from its start; if the file is missing or empty, the state is unchanged.
   */
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
      if (size === 0) return false;
      const known = this.#lastLine;
      const bytes = readRange(descriptor, this.#read - known.length, size);
      if (known.equals(bytes.subarray(0, known.length))) return this.#add(bytes.subarray(known.length));
      const before = new Map(this.#states);
      this.#forget();
      this.#add(readRange(descriptor, 0, size));
      this.#compare(before);
      return true;
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Appends a change to the remote's current state; synced to disk on return.
   *
   * @returns the change as written
   * @throws ConflictError if another writer was first; nothing has changed then
   * @throws Error if the file can't be written or synced; nothing has changed then, unless the message states otherwise
   */
  append(change: Omit<ReleaseChange, 'at' | 'revision'>): ReleaseChange {
    const { remote } = change;
    const revision = this.stateOf(remote).revision + 1;
    const text = JSON.stringify({ at: new Date().toISOString(), revision, ...change });
    const written = parse(text);
    if (!written) throw new Error(`${text} is not a change that the release log can have.`);
    this.#write(`${text}\n`, `Change ${revision} of ${remote}`);
    // Not simply the last change: other writers may have appended more since.
    const counted = this.#changes.findLast((each) => each.remote === remote && each.revision === revision);
    if (!isDeepStrictEqual(counted, written))
      throw new ConflictError(
        `${remote} was changed by somebody else at the same moment; check its state and try again.`,
      );
    return written;
  }

  /** Appends a line, syncs and reads it. On failure voids the line, since its writer reports an error. */
  #write(line: string, name: string): void {
    makeFolder(path.dirname(this.#file));
    const descriptor = openSync(this.#file, 'a+');
    try {
      const { size } = fstatSync(descriptor);
      appendFileSync(descriptor, `${this.#endsTorn(descriptor, size) ? tornMark : ''}${line}`);
      try {
        fdatasyncSync(descriptor);
        if (size === 0) syncFolder(path.dirname(this.#file));
        this.refresh();
      } catch (error) {
        this.#void(line, size, name);
        throw error;
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Overwrites a line with blanks, which readers skip. Truncating the file instead would remove lines that other writers
   * have appended since.
   *
   * @param from the size of the file before the line was appended, in bytes
   */
  #void(line: string, from: number, name: string): void {
    try {
      // A separate descriptor: writes to one opened for appending always go to the end.
      const descriptor = openSync(this.#file, 'r+');
      try {
        const offset = readRange(descriptor, from, fstatSync(descriptor).size).indexOf(line);
        if (offset < 0) return;
        writeSync(descriptor, Buffer.alloc(Buffer.byteLength(line) - 1, ' '), 0, null, from + offset);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${name} could not be synced to the release log, and may count nevertheless: ${message}`, {
        cause: error,
      });
    }
  }

  #endsTorn(descriptor: number, size: number): boolean {
    if (size === 0) return false;
    return readRange(descriptor, size - 1, size)[0] !== newline;
  }

  #forget(): void {
    this.#states.clear();
    this.#changes = [];
    this.#problems = [];
    this.#lines = 0;
    this.#read = 0;
    this.#lastLine = Buffer.alloc(0);
  }

  #add(bytes: Buffer): boolean {
    const end = bytes.lastIndexOf(newline) + 1;
    if (end === 0) return false;
    this.#read += end;
    this.#lastLine = Buffer.from(bytes.subarray(bytes.lastIndexOf(newline, end - 2) + 1, end));
    // Without the last newline, which would add an empty line.
    const lines = bytes
      .subarray(0, end - 1)
      .toString()
      .split('\n');
    for (const line of lines) this.#addLine(line);
    return true;
  }

  #addLine(line: string): void {
    this.#lines += 1;
    const change = parse(line);
    if (!change) {
      if (line.trim() !== '' && !`${line}\n`.endsWith(tornMark)) this.#report(describeUnreadable(this.#lines, line));
      return;
    }
    const before = this.stateOf(change.remote);
    const after = reduce(before, change);
    if (after !== before) {
      this.#states.set(change.remote, after);
      this.#changes.push(change);
    } else if (change.revision > before.revision) {
      // A change that lost a race has an existing number and is no problem.
      this.#report(describeGap(this.#lines, change, before.revision));
    }
  }

  #compare(before: ReadonlyMap<string, RemoteState>): void {
    for (const [remote, { revision }] of before) {
      const now = this.stateOf(remote).revision;
      if (now < revision)
        this.#report(
          `The release log was replaced by one that has fewer changes of ${remote}: ${now} instead of ${revision}.`,
        );
    }
  }

  #report(problem: string): void {
    this.#problems.push(problem);
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#onProblem(problem);
  }
}

/** Reads the bytes from `start` to `end`, or up to the end of the file. */
function readRange(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
}

/** Parses a line; returns `undefined` for a torn one. */
function parse(line: string): ReleaseChange | undefined {
  try {
    return releaseChangeSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
