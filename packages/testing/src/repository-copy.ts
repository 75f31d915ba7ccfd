import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readRelease } from './builds.ts';
import { buildCommand, root } from './workspaces.ts';

/** What every build needs. */
export const buildParts = [
  '.gitignore',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'packages',
] as const;

export type RepositoryCopy = ReturnType<typeof copyRepository>;

/** Links installed packages, and our own to the copies. Copies what an installation in the copy would change. */
function linkPackages(folder: string, parts: readonly string[]): void {
  const ours = readdirSync(path.join(folder, 'packages'));
  mkdirSync(path.join(folder, 'node_modules/@daybook'), { recursive: true });
  const record = '.package-lock.json';
  cpSync(path.join(root, 'node_modules', record), path.join(folder, 'node_modules', record));
  const names = readdirSync(path.join(root, 'node_modules')).filter((name) => name !== '@daybook' && name !== record);
  for (const name of names) symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name));
  for (const name of ours)
    symlinkSync(path.join(folder, 'packages', name), path.join(folder, 'node_modules/@daybook', name));
  for (const workspace of [
    ...parts.map((part) => `${part.split('/')[0]}`),
    ...ours.map((name) => `packages/${name}`),
  ]) {
    const installed = path.join(workspace, 'node_modules');
    const source = path.join(root, installed);
    if (existsSync(source)) cpSync(source, path.join(folder, installed), { recursive: true });
  }
}

/** Copies parts of the repository to a temporary folder, for tests to change and build; paths are relative to the root. */
export function copyRepository(parts: readonly string[]) {
  const { path: folder, remove } = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-copy-'));
  const filter = (name: string) => !/\/(?:node_modules|test-results|mf-[^/]+\/build)$/.test(name);
  for (const part of parts) cpSync(path.join(root, part), path.join(folder, part), { recursive: true, filter });
  linkPackages(folder, parts);
  return {
    folder,
    /** @throws Error if the change has no effect */
    edit(file: string, change: (text: string) => string) {
      const place = path.join(folder, file);
      const before = readFileSync(place, 'utf8');
      const after = change(before);
      if (after === before) throw new Error(`${file} has nothing to change.`);
      writeFileSync(place, after);
    },
    write: (file: string, text: string) => writeFileSync(path.join(folder, file), text),
    /** Builds a remote, and returns its release. */
    async build(remote: string) {
      await promisify(execFile)(process.execPath, buildCommand(remote), { cwd: path.join(folder, remote) });
      return readRelease(path.join(folder, remote, 'build'));
    },
    remove,
  };
}
