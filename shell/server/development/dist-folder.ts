import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Release, releaseFileName } from '@daybook/contract';
import { readRelease } from '../releases/store/release-gate.ts';

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
 * The release in a dist folder that is built again and again. A new build is taken over when it is complete;
 * until then, and while the folder is being rebuilt, the last good one stays.
 */
export class DistFolder {
  readonly name: string;
  readonly folder: string;
  readonly #report: (problem: string) => void;
  #release: Release | undefined;
  #seen: string | undefined;

  constructor(name: string, folder: string, report: (problem: string) => void) {
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
      this.#release = readRelease(readFileSync(file, 'utf8'), this.name, `file:${this.folder}`);
    } catch (error) {
      this.#report(`${this.name}: ${error instanceof Error ? error.message : error}`);
    }
    return this.#release;
  }
}
