import { accessSync, constants, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentHash } from '@daybook/build/version';
import { startNode } from '@daybook/runner/processes';
import { buildCommand, buildFolder, builtWorkspaces, root } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';

/** Time in ms between two lines of a build: a busy machine takes minutes. */
const progressInterval = 10_000;

/** How many workspaces are built at once. */
const concurrency = 2;

/** What commands write to: a folder, and those in it. */
const written = ['.', '.data{,/*}', `{${builtWorkspaces.join()}}{,/build{,/**/}}`];

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

/** Returns the folders of a workspace and of all packages of ours that it is built from. */
function sourceFolders(workspace: string, repository: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(workspace)) return found;
  found.add(workspace);
  const manifest = JSON.parse(readFileSync(path.join(repository, workspace, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
    if (name.startsWith('@daybook/')) sourceFolders(name.replace('@daybook', 'packages'), repository, found);
  return found;
}

/** Returns a hash of all that a workspace of a repository is built from, tests excluded. */
export function sourceHash(workspace: string, repository = root): string {
  const names = [...sourceFolders(workspace, repository)].flatMap((folder) =>
    globSync(`${folder}/**/*`, {
      cwd: repository,
      exclude: [`${workspace}/build`, '**/node_modules', '**/test', '**/*.spec.*', '**/*.tsbuildinfo', '**/README.md'],
    }),
  );
  const files = [...names, 'package-lock.json', 'tsconfig.base.json']
    .map((name) => [name, path.join(repository, name)] as const)
    .filter(([, file]) => statSync(file).isFile());
  return contentHash(new Map(files.map(([name, file]) => [name, readFileSync(file)])));
}

/** The file in a build that has the hash of its sources. */
const hashFile = (workspace: string) => path.join(buildFolder(workspace), '.sources');

/** Makes the next `build` build a workspace, whatever its sources. */
export const forgetBuild = (workspace: string): void => rmSync(hashFile(workspace), { force: true });

async function buildWorkspace(workspace: string, report: (line: string) => void): Promise<void> {
  const hash = sourceHash(workspace);
  const file = hashFile(workspace);
  if (existsSync(file) && readFileSync(file, 'utf8') === hash) return;
  forgetBuild(workspace);
  report(`Building ${workspace} …`);
  const child = startNode(buildCommand(workspace), { folder: path.join(root, workspace), output: 'pipe' });
  for await (const line of child) if (String(line).trim()) report(`${workspace}: ${line}`);
  const { exitCode, stderr } = await child;
  if (exitCode !== 0) throw new CommandError(`${stderr}\n\nThe build of ${workspace} failed; see above.`);
  writeFileSync(file, hash);
}

/**
 * Builds the workspaces whose sources have changed.
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
  const started = Date.now();
  const progress = setInterval(
    () => report(`  still building after ${Math.round((Date.now() - started) / 1000)} s`),
    progressInterval,
  );
  const waiting = workspaces.values();
  const worker = async () => {
    for (const workspace of waiting) await buildWorkspace(workspace, report);
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, worker));
  } finally {
    clearInterval(progress);
  }
}
