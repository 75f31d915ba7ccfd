import { execFileSync } from 'node:child_process';
import { readSources } from '@daybook/build/sources';
import { root } from '@daybook/testing/workspaces';

/** Number of files that the line names. */
const named = 3;

/**
 * Returns why a release names no commit, for people: nobody else could build it again.
 *
 * @param folder of the candidate, which lists its sources
 */
export function whyUncommitted(folder: string, repository = root): string {
  const { files } = readSources(folder);
  try {
    const status = execFileSync('git', ['status', '--porcelain', '--no-renames', '-z', '--', ...files], {
      cwd: repository,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const changed = status.split('\0').flatMap((line) => line.slice(3) || []);
    const more = changed.length > named ? ` and ${changed.length - named} more` : '';
    return `not committed: ${changed.slice(0, named).join(', ')}${more}; the release names no commit`;
  } catch {
    return 'no git repository: the release names no commit';
  }
}
