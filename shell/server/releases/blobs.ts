import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** In bytes, together and each. */
const maxMemory = 64_000_000;
const maxInMemory = 2_000_000;

/** SHA-384 in base64url. Large contents don't block the event loop. */
export const nameOf = async (content: Uint8Array<ArrayBuffer>): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-384', content)).toString('base64url');

interface BlobsOptions {
  readonly folder: string;
  readonly fetch: (hash: string) => Promise<Buffer | undefined>;
  readonly inPlace: (hash: string) => Buffer | string | undefined;
  readonly report: (problem: string) => void;
}

/** Contents of files by their hashes: in memory, on disk (a cache), and in the database. */
export class Blobs {
  readonly #options: BlobsOptions;
  /** The last used last. */
  readonly #memory = new Map<string, Buffer>();
  #size = 0;
  readonly #reading = new Map<string, Promise<Buffer>>();
  #reported = '';

  constructor(options: BlobsOptions) {
    this.#options = options;
  }

  get(hash: string): Promise<Buffer> {
    const known = this.#memory.get(hash);
    if (known) {
      this.#remember(hash, known);
      return Promise.resolve(known);
    }
    const reading = this.#reading.get(hash) ?? this.#read(hash).finally(() => this.#reading.delete(hash));
    this.#reading.set(hash, reading);
    return reading;
  }

  /** Keeps a content whose hash was checked. A disk that can't be written is reported. */
  async put(hash: string, content: Buffer): Promise<void> {
    this.#remember(hash, content);
    const { folder, report } = this.#options;
    const temporary = path.join(folder, `${hash}.${randomUUID()}.new`);
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(temporary, content);
      await rename(temporary, path.join(folder, hash));
      this.#reported = '';
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      // Not the message, which names a temporary file.
      const { code } = error as NodeJS.ErrnoException;
      const problem = code === 'ENOSPC' ? 'there is no space left on its disk' : `${code}`;
      if (problem !== this.#reported)
        report(`RELEASES_FOLDER (${folder}) can't be written: ${problem}. Pages are served from memory.`);
      this.#reported = problem;
    }
  }

  async prune(isNeeded: (name: string) => boolean): Promise<void> {
    const { folder } = this.#options;
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((each) => !isNeeded(each))) await rm(path.join(folder, name), { force: true });
  }

  async #read(hash: string): Promise<Buffer> {
    const own = this.#options.inPlace(hash) ?? path.join(this.#options.folder, hash);
    const local = typeof own === 'string' ? await readFile(own).catch(() => undefined) : own;
    if (local && (await nameOf(local as Buffer<ArrayBuffer>)) === hash) {
      this.#remember(hash, local);
      return local;
    }
    const fetched = await this.#options.fetch(hash);
    if (!fetched) throw new Error(`the file with the hash ${hash} is not stored`);
    if ((await nameOf(fetched as Buffer<ArrayBuffer>)) !== hash)
      throw new Error(`the file with the hash ${hash} is damaged in the database`);
    await this.put(hash, fetched);
    return fetched;
  }

  #remember(hash: string, content: Buffer): void {
    if (content.length > maxInMemory) return;
    if (this.#memory.delete(hash)) this.#size -= content.length;
    this.#memory.set(hash, content);
    this.#size += content.length;
    for (const [oldest, { length }] of this.#memory) {
      if (this.#size <= maxMemory) break;
      this.#memory.delete(oldest);
      this.#size -= length;
    }
  }
}
