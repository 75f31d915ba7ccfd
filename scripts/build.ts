import { accessSync, constants, globSync } from 'node:fs';
import { devNull } from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { startNode } from '@daybook/runner/processes';
import { builtWorkspaces, root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';

const turbo = path.join(root, 'node_modules/turbo/bin/turbo');
const environment = {
  TURBO_TELEMETRY_DISABLED: '1',
  // No repository: Turborepo hashes the files themselves. Asked, git leaves out what it ignores, which is all in a folder
  // of somebody else's repository, and what its configuration hides.
  GIT_DIR: devNull,
};
const buildOf = (workspaces: readonly string[]) => [
  turbo,
  'run',
  'build',
  // Not the cache of another project that the environment may name.
  '--cache=local:rw',
  ...workspaces.map((workspace) => `--filter=${workspace}`),
];

/** Each line begins with its workspace, also on a CI service. */
const logged = ['--output-logs=new-only', '--ui=stream', '--log-order=stream', '--log-prefix=task'];

/** Time in ms between two lines of a build: a busy machine takes minutes. */
const progressInterval = 10_000;

/** What commands write to: a folder, and those in it. */
const written = ['.', '.data{,/*}', '.turbo{,/*}', `{${builtWorkspaces.join()}}{,/.turbo,/build{,/**/}}`];

/** @throws CommandError naming a place that this user may not write to, such as one that `sudo npm start` has made */
export function expectWritable(folder = root): void {
  for (const place of globSync(written, { cwd: folder }))
    try {
      accessSync(path.join(folder, place), constants.W_OK);
    } catch {
      throw new CommandError(
        `${path.join(folder, place)} cannot be written. If sudo or another user made it, make it yours, in ${folder}: sudo chown -R "$(id -un)" .`,
      );
    }
}

/**
 * Builds the workspaces whose sources have changed; Turborepo restores the builds of the others. `turbo.json` says what
 * a build depends on.
 *
 * @param report receives the output of each build, a line at a time; nothing if there is nothing to build
 * @param workspaces default: all that have a build
 * @throws CommandError if a build fails, or this user may not write to the repository
 */
export async function build(
  report: (line: string) => void,
  workspaces: readonly string[] = builtWorkspaces,
): Promise<void> {
  expectWritable();
  const child = startNode([...buildOf(workspaces), ...logged], {
    environment,
    output: 'pipe',
  });
  const started = Date.now();
  const progress = setInterval(
    () => report(`  still building after ${Math.round((Date.now() - started) / 1000)} s`),
    progressInterval,
  );
  try {
    for await (const each of child) {
      const line = stripVTControlCharacters(String(each));
      // Not Turborepo's own lines, nor npm's that repeat the command.
      if (/^\S+:build: (?!cache hit|>|npm error)./.test(line)) report(line);
    }
  } finally {
    clearInterval(progress);
  }
  const { exitCode, stderr } = await child;
  if (exitCode !== 0) throw new CommandError(`${stderr}\n\nThe build failed; see above.`);
}

/** Returns a hash of all that a workspace of a repository is built from, tests excluded. */
export async function sourceHash(workspace: string, folder = root): Promise<string> {
  const { exitCode, stdout, stderr } = await startNode([...buildOf([workspace]), '--dry=json'], {
    environment,
    folder,
    output: 'pipe',
  });
  if (exitCode !== 0) throw new CommandError(String(stderr));
  const { tasks } = JSON.parse(String(stdout)) as { readonly tasks: readonly { taskId: string; hash: string }[] };
  const hash = tasks.find(({ taskId }) => taskId === `${workspace}#build`)?.hash;
  if (hash === undefined) throw new Error(`turbo.json has no build of ${workspace}.`);
  return hash;
}
