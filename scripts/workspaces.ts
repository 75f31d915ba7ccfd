import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The repository's folder. */
export const root = path.dirname(import.meta.dirname);

/** The remotes: every top-level folder whose name starts with `mf-`. A new remote needs no list to be entered in. */
export const remotes: readonly string[] = readdirSync(root)
  .filter((name) => name.startsWith('mf-') && existsSync(path.join(root, name, 'package.json')))
  .sort();

/** Everything that has a build. */
export const builtWorkspaces: readonly string[] = [...remotes, 'shell', 'backend'];

/** The value of `REMOTES` that serves each remote from a folder: its own `dist`, or one below `folder`. */
export function remoteOrigins(
  folderOf: (remote: string) => string = (remote) => path.join(root, remote, 'dist'),
): string {
  return remotes.map((remote) => `${remote}=file:${folderOf(remote)}`).join(',');
}
