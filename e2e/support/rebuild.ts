import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../scripts/workspaces.ts';
import { type ReleaseVariant, readBuiltRelease } from '../chaos/release-variant.ts';

const notSources = /[\\/](?:dist|node_modules)$/;

/**
 * Builds a remote as its team would after a change of one of its sources: in a copy of the repository that has
 * nothing but that remote and the packages, so that nothing else is built or needed.
 *
 * @param file the source that is changed, from the remote's folder
 */
export async function rebuild(remote: string, file: string, edit: (text: string) => string): Promise<ReleaseVariant> {
  const copy = mkdtempSync(path.join(tmpdir(), 'daybook-rebuild-'));
  try {
    for (const part of ['package.json', 'package-lock.json', 'tsconfig.base.json', 'packages', remote])
      cpSync(path.join(root, part), path.join(copy, part), {
        recursive: true,
        filter: (name) => !notSources.test(name),
      });
    symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
    const source = path.join(copy, remote, file);
    const before = readFileSync(source, 'utf8');
    const after = edit(before);
    if (after === before) throw new Error(`${file} of ${remote} has nothing to change.`);
    writeFileSync(source, after);
    const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
    await promisify(execFile)(process.execPath, [rspack, 'build'], { cwd: path.join(copy, remote) });
    return readBuiltRelease(remote, copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
