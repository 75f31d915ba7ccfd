import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sourceHash } from '@daybook/build/source-hash';
import { runQuietly } from '@daybook/testing/processes';
import { buildCommand, buildFolder, builtWorkspaces, root } from '@daybook/testing/workspaces';

/** Concurrent builds: each uses more than one core part of the time. */
const atATime = 2;

/** File next to the build output with the hash of the sources it was built from. */
export const stampFileName = '.built-from';

const stampOf = (workspace: string) => path.join(buildFolder(workspace), stampFileName);

function isStale(workspace: string, hash: string): boolean {
  try {
    return readFileSync(stampOf(workspace), 'utf8') !== hash;
  } catch {
    return true;
  }
}

async function build(workspace: string, hash: string, report: (line: string) => void): Promise<void> {
  const started = performance.now();
  rmSync(stampOf(workspace), { force: true });
  const { code, output } = await runQuietly(buildCommand(workspace), { folder: path.join(root, workspace) });
  if (code !== 0) throw new Error(`${output.trim()}\n\nThe build of ${workspace} failed; see above.`);
  if (/warning/i.test(output)) report(output.trim());
  writeFileSync(stampOf(workspace), hash);
  report(`  ${workspace} built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

/**
 * Builds only the workspaces whose sources changed since their last build.
 *
 * @param report receives a line for each build
 * @param workspaces to consider; default: all that have a build
 * @throws Error naming the workspace whose build failed
 */
export async function buildStale(
  report: (line: string) => void,
  workspaces: readonly string[] = builtWorkspaces,
): Promise<void> {
  const stale = workspaces
    .map((workspace) => ({ workspace, hash: sourceHash(root, path.join(root, workspace)) }))
    .filter(({ workspace, hash }) => isStale(workspace, hash));
  if (stale.length === 0) return;
  report(`Building ${stale.map(({ workspace }) => workspace).join(', ')} …`);
  const waiting = stale.values();
  const worker = async () => {
    for (const { workspace, hash } of waiting) await build(workspace, hash, report);
  };
  await Promise.all(Array.from({ length: atATime }, worker));
}

/**
 * Builds a workspace that has no build yet; accepts a stale one.
 *
 * @param file present in every build of the workspace
 * @param report receives a line if a build is needed
 */
export async function buildMissing(workspace: string, file: string, report: (line: string) => void): Promise<void> {
  if (existsSync(path.join(buildFolder(workspace), file))) return;
  await build(workspace, sourceHash(root, path.join(root, workspace)), report);
}
