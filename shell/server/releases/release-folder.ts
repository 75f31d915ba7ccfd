import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { contractVersion, type Release, releaseFileName, releaseSchema } from '@daybook/contract';
import * as z from 'zod/mini';
import type { RemoteOrigin } from '../environment.ts';

const missing = 'missing';

/** A text that is another when the file is; what can't be looked at now may be there later. */
function stateOf(file: string): string {
  try {
    const { mtimeMs, size } = statSync(file);
    return `${mtimeMs} ${size}`;
  } catch {
    return missing;
  }
}

/**
 * A remote's release in its dist folder. A new build is taken over when it is complete and right; until then,
 * and while the folder is being rebuilt, the last good one stays.
 */
export class ReleaseFolder {
  readonly name: string;
  readonly folder: string;
  readonly #report: (problem: string) => void;
  #release: Release | undefined;
  #seen: string | undefined;

  constructor({ name, folder }: RemoteOrigin, report: (problem: string) => void) {
    this.name = name;
    this.folder = path.resolve(folder);
    this.#report = report;
  }

  /** The release to serve now; `undefined` where there never was a good one. Costs a `stat` while nothing changes. */
  current(): Release | undefined {
    const file = path.join(this.folder, releaseFileName);
    const seen = stateOf(file);
    if (seen === this.#seen) return this.#release;
    this.#seen = seen;
    try {
      if (seen === missing) throw new Error(`${file} is missing; build the remote with: npm run build -w ${this.name}`);
      this.#release = this.#parse(readFileSync(file, 'utf8'));
    } catch (error) {
      this.#report(`${this.name}: ${error instanceof Error ? error.message : error}`);
    }
    return this.#release;
  }

  #parse(text: string): Release {
    const parsed = releaseSchema.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Error(`${releaseFileName} is not valid: ${z.prettifyError(parsed.error)}`);
    const { name, contract, entry, files } = parsed.data;
    if (name !== this.name) throw new Error(`${releaseFileName} is of ${name}`);
    if (contract !== contractVersion)
      throw new Error(`the release is built for contract ${contract}; this shell speaks ${contractVersion}`);
    if (!files[entry]) throw new Error(`the entry ${entry} is not among the release's files`);
    return parsed.data;
  }
}
