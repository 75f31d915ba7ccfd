import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type ShellManifest, shellManifestFileName, shellManifestSchema } from '@daybook/contract';

/** The build of the shell's browser part. */
export class ShellBuild {
  readonly folder: string;
  #manifest: ShellManifest | undefined;
  #readAt = 0;

  constructor(folder: string) {
    this.folder = path.resolve(folder);
  }

  /**
   * What every page starts with; the same object for as long as the build stays the same.
   *
   * @throws Error where the shell was never built
   */
  manifest(): ShellManifest {
    const file = path.join(this.folder, shellManifestFileName);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats && !this.#manifest) throw new Error(`${file} is missing; build the shell with: npm run build -w shell`);
    if (stats && stats.mtimeMs !== this.#readAt) {
      this.#manifest = shellManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      this.#readAt = stats.mtimeMs;
    }
    return this.#manifest as ShellManifest;
  }
}
