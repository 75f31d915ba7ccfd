import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { releaseFileName } from '@daybook/contract';
import { OriginFailure, type ReleaseOrigin } from './release-origin.ts';

function failure(error: unknown, file: string): OriginFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? new OriginFailure('missing', `${file} is missing`, error)
    : new OriginFailure('unreachable', message, error);
}

/** A dist folder as an origin. */
export class FolderOrigin implements ReleaseOrigin {
  readonly address: string;
  readonly #folder: string;
  #seen = '';
  #text = '';

  constructor(folder: string) {
    this.#folder = path.resolve(folder);
    this.address = `file:${this.#folder}`;
  }

  async describe(signal: AbortSignal): Promise<string> {
    const file = path.join(this.#folder, releaseFileName);
    try {
      const { mtimeNs, size, ino } = await stat(file, { bigint: true });
      const seen = `${mtimeNs} ${size} ${ino}`;
      if (seen !== this.#seen) {
        this.#text = await readFile(file, { encoding: 'utf8', signal });
        this.#seen = seen;
      }
      return this.#text;
    } catch (error) {
      throw failure(error, file);
    }
  }

  async *readFile(name: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const file = path.join(this.#folder, name);
    try {
      yield* createReadStream(file, { signal });
    } catch (error) {
      throw failure(error, file);
    }
  }
}
