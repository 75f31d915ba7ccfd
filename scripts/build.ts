import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentHash } from '@daybook/build/version';
import { CommandError } from '@daybook/server/command-line';
import { startNode } from '@daybook/testing/processes';
import { buildCommand, buildFolder, builtWorkspaces, root } from '@daybook/testing/workspaces';

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

/** Builds the workspaces whose sources have changed, two at once; reports their output a line at a time. */
export async function build(
  report: (line: string) => void,
  workspaces: readonly string[] = builtWorkspaces,
): Promise<void> {
  const started = Date.now();
  const say = () => report(`  still building after ${Math.round((Date.now() - started) / 1000)} s`);
  const progress = setInterval(say, 10_000);
  const waiting = workspaces.values();
  const worker = async () => {
    for (const workspace of waiting) await buildWorkspace(workspace, report);
  };
  try {
    await Promise.all([worker(), worker()]);
  } finally {
    clearInterval(progress);
  }
}
