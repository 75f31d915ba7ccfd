import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const repository = path.resolve(import.meta.dirname, '../../..');

/** A repository in a temporary folder, for changes and builds. */
export interface TemporaryWorkspace {
  readonly root: string;
  /** Writes files by their path from the root; objects as JSON. */
  write(files: Readonly<Record<string, string | object>>): void;
  remove(): void;
}

/**
 * Creates a repository with the requirements of every build: lockfile, compiler settings, and this repository's
 * node_modules.
 */
export function createTemporaryWorkspace(): TemporaryWorkspace {
  const root = mkdtempSync(path.join(tmpdir(), 'daybook-build-'));
  const write: TemporaryWorkspace['write'] = (files) => {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  };
  symlinkSync(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  cpSync(path.join(repository, 'tsconfig.base.json'), path.join(root, 'tsconfig.base.json'));
  write({ 'package.json': { name: 'temporary', private: true }, 'package-lock.json': { lockfileVersion: 3 } });
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}
