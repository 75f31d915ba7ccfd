import { type Dirent, existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentHash } from './version.ts';

const leftOut = new Set(['node_modules', 'build', 'test', 'Dockerfile', 'README.md']);
const isLeftOut = ({ name }: Dirent) => leftOut.has(name) || name.startsWith('.') || /\.spec\.tsx?$/.test(name);

interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Reads a workspace folder's package.json. */
export function readManifest(folder: string): PackageManifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as PackageManifest;
}

/**
 * Returns the folders that a workspace is built from: its own, and those of the workspace packages that it depends on,
 * directly or transitively.
 */
function sourceFolders(root: string, folder: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, devDependencies } = readManifest(folder);
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const dependency = path.join(root, 'packages', name.replace('@daybook/', ''));
    if (name.startsWith('@daybook/') && existsSync(dependency)) sourceFolders(root, dependency, found);
  }
  return found;
}

const listFiles = (cwd: string) =>
  globSync('**', { cwd, exclude: isLeftOut, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));

/**
 * Returns a hash of all that a workspace may be built from, except tests: equal hashes mean equal builds. It detects
 * stale builds. Different hashes may still mean equal builds: a release's version does not depend on it.
 *
 * @param root the repository's folder
 * @param folder the workspace's folder
 * @returns 8 hex digits
 */
export function sourceHash(root: string, folder: string): string {
  // Every build also depends on the exact packages and the compiler's settings.
  return hashOfFolders(root, sourceFolders(root, folder), ['package-lock.json', 'tsconfig.base.json']);
}

/**
 * Returns a hash of all files in folders except tests.
 *
 * @param more further files, relative to `root`
 * @returns 8 hex digits
 */
export function hashOfFolders(root: string, folders: Iterable<string>, more: readonly string[] = []): string {
  const files = [...[...folders].flatMap(listFiles), ...more.map((name) => path.join(root, name))];
  return contentHash(new Map(files.map((file) => [path.relative(root, file), readFileSync(file)])));
}
