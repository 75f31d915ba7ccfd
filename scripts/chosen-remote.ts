import { UsageError } from '@daybook/server/command-line';
import { remotes } from '@daybook/testing/workspaces';

/** Returns the remote that a command names, perhaps as a folder, or the workspace that npm runs it in. */
export function chosenRemote(named: string | undefined, environment: Readonly<NodeJS.ProcessEnv>): string | undefined {
  if (named === undefined) return remotes.find((name) => name === environment.npm_package_name);
  const name = named.replace(/\/$/, '');
  if (remotes.includes(name)) return name;
  throw new UsageError(`There is no remote “${named}”; write one of ${remotes.join(', ')}.`);
}
