import { remotes } from '@daybook/runner/workspaces';
import { UsageError } from '@daybook/server/command-line';

/**
 * Returns the remote that a command is for: the one named after it, as in `npm run release mf-legal`, or the workspace
 * that npm runs it in (`-w mf-legal`, or a call in its folder). `undefined` if there is neither.
 *
 * @param named as a person writes it, or a shell completes the name of the folder
 * @throws UsageError if no remote has that name
 */
export function chosenRemote(named: string | undefined, environment: Readonly<NodeJS.ProcessEnv>): string | undefined {
  if (named === undefined) return remotes.find((name) => name === environment.npm_package_name);
  const name = named.replace(/\/$/, '');
  if (remotes.includes(name)) return name;
  throw new UsageError(`There is no remote “${named}”; write one of ${remotes.join(', ')}.`);
}
