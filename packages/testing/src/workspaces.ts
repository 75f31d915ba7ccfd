import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's folder. */
export const root = path.resolve(import.meta.dirname, '../../..');

/** The remotes: every top-level folder whose name starts with `mf-`. */
export const remotes: readonly string[] = readdirSync(root)
  .filter((name) => name.startsWith('mf-') && existsSync(path.join(root, name, 'package.json')))
  .sort();

/** All workspaces that have a build. */
export const builtWorkspaces: readonly string[] = [...remotes, 'shell', 'backend'];

export const buildFolder = (workspace: string) => path.join(root, workspace, 'build');

/** Returns the parameters with which Node builds a workspace; it must run in the workspace's folder. */
export function buildCommand(workspace: string, ...options: readonly string[]): readonly string[] {
  const [program, mode] =
    workspace === 'backend' ? ['typescript/bin/tsc', '-b'] : ['@rspack/cli/bin/rspack.js', 'build'];
  return [path.join(root, 'node_modules', program), mode, ...options];
}

/** Returns the queries that pages require, by path: `examples` in the remote's package.json. */
export function examplesOf(remote: string): Readonly<Record<string, string>> {
  const { examples = {} } = JSON.parse(readFileSync(path.join(root, remote, 'package.json'), 'utf8'));
  return examples;
}
