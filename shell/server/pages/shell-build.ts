import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ShellManifest, shellManifestFileName, shellManifestSchema } from '@daybook/contract/server';

export class ShellBuild {
  readonly folder: string;
  #manifest: ShellManifest | undefined;
  #modifiedAt = 0;

  constructor(folder: string) {
    this.folder = path.resolve(folder);
  }

  /**
   * Returns the manifest; the same object as long as the build stays the same. Ignores a build that is in progress or
   * broken.
   *
   * @throws Error before the first good build
   */
  manifest(): ShellManifest {
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
