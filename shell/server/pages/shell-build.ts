import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashOf, integrityOf } from '@daybook/contract/manifest';
import type { ReleaseFile } from '@daybook/contract/release';
import { type ShellManifest, shellManifestFileName, shellManifestSchema } from '@daybook/contract/server';

/** A file with a content hash in its name, or its compressed form. */
const hashedFile = /\.[0-9a-f]{8}\.\w+(?:\.(?:br|gz))?$/;

export class ShellBuild {
  readonly folder: string;
  #manifest: ShellManifest | undefined;
  #modifiedAt = 0;
  #files: Readonly<Record<string, ReleaseFile>> = {};
  #places = new Map<string, string>();

  constructor(folder: string) {
    this.folder = path.resolve(folder);
  }

  /** Returns the last good build's; the same object as long as it stays. @throws Error before the first one */
  manifest(): ShellManifest {
    const file = path.join(this.folder, shellManifestFileName);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (this.#manifest && (!stats || stats.mtimeMs === this.#modifiedAt)) return this.#manifest;
    if (!stats) throw new Error(`${file} is missing; build the shell with: npm run build -w shell`);
    this.#modifiedAt = stats.mtimeMs;
    try {
      this.#manifest = shellManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      this.#readFiles();
    } catch (error) {
      if (!this.#manifest) throw error;
    }
    return this.#manifest;
  }

  files(): Readonly<Record<string, ReleaseFile>> {
    this.manifest();
    return this.#files;
  }

  hashOf(name: string): string | undefined {
    const files = this.files();
    return Object.hasOwn(files, name) ? hashOf(files[name]?.integrity ?? '') : undefined;
  }

  contents(): readonly { readonly hash: string; readonly content: Buffer }[] {
    this.manifest();
    return [...this.#places].map(([hash, file]) => ({ hash, content: readFileSync(file) }));
  }

  fileOf = (hash: string): string | undefined => this.#places.get(hash);

  #readFiles(): void {
    const names = readdirSync(this.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      hashedFile.test(name),
    );
    const entries = names.map((name) => {
      const content = readFileSync(path.join(this.folder, name));
      return [name, { integrity: integrityOf(content), size: content.length }] as const;
    });
    this.#files = Object.fromEntries(entries);
    this.#places = new Map(entries.map(([name, { integrity }]) => [hashOf(integrity), path.join(this.folder, name)]));
  }
}
