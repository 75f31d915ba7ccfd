import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ShellManifest, shellManifestFileName, shellManifestSchema } from '@daybook/contract';

export interface ShellBuildOptions {
  /** Another build is looked for this often at most, in ms; each time that the build is asked for where left out. */
  readonly lookInterval?: number;
  /** The time in ms. */
  readonly now?: () => number;
}

/** The build of the shell's browser part. */
export class ShellBuild {
  readonly folder: string;
  readonly #lookInterval: number;
  readonly #now: () => number;
  #manifest: ShellManifest | undefined;
  #modifiedAt = 0;
  #lookedAt = 0;

  constructor(folder: string, { lookInterval = 0, now = () => performance.now() }: ShellBuildOptions = {}) {
    this.folder = path.resolve(folder);
    this.#lookInterval = lookInterval;
    this.#now = now;
  }

  /**
   * What every page starts with; the same object for as long as the build stays the same. A build that is under
   * way, or broken, is not taken over.
   *
   * @throws Error where there never was a good build
   */
  manifest(): ShellManifest {
    const now = this.#now();
    if (this.#manifest && now - this.#lookedAt < this.#lookInterval) return this.#manifest;
    this.#lookedAt = now;
    const file = path.join(this.folder, shellManifestFileName);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (this.#manifest && (!stats || stats.mtimeMs === this.#modifiedAt)) return this.#manifest;
    if (!stats) throw new Error(`${file} is missing; build the shell with: npm run build -w shell`);
    this.#modifiedAt = stats.mtimeMs;
    try {
      this.#manifest = shellManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (!this.#manifest) throw error;
    }
    return this.#manifest;
  }
}
