import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { releaseFileName } from '@daybook/contract/release';
import { maxDescription } from '../gate/gate.ts';
import { type DescriptionFile, OriginFailure, type ReleaseOrigin, readText } from './origin.ts';

function failure(error: unknown, file: string): OriginFailure {
  if (error instanceof OriginFailure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? new OriginFailure('missing', `${file} is missing`, error)
    : new OriginFailure('unreachable', message, error);
}

/** Origin that reads a folder. */
export class FolderOrigin implements ReleaseOrigin {
  readonly address: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = path.resolve(folder);
    this.address = `file:${this.#folder}`;
  }

  describe(signal: AbortSignal, name: DescriptionFile = releaseFileName): Promise<string> {
    return readText(this.readFile(name, signal), path.join(this.#folder, name), maxDescription(name));
  }

  async *readFile(name: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    try {
      signal.throwIfAborted();
      const handle = await this.#open(name);
      // Closes the handle as well.
      yield* handle.createReadStream({ signal });
    } catch (error) {
      throw failure(error, path.join(this.#folder, name));
    }
  }

  /** Opens a file of the folder. Rejects links that lead out of it, and pipes and devices, which might never end. */
  async #open(name: string): Promise<FileHandle> {
    const file = path.join(this.#folder, name);
    const [folder, place] = await Promise.all([realpath(this.#folder), realpath(file)]);
    if (!place.startsWith(folder + path.sep)) throw new OriginFailure('answer', `${file} leads out of its folder`);
    // O_NONBLOCK: opening a pipe would otherwise wait for a writer.
    const handle = await open(place, constants.O_RDONLY | constants.O_NONBLOCK);
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
    throw new OriginFailure('answer', `${file} is not a file`);
  }
}
