import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type TemporaryRepository = ReturnType<typeof createTemporaryRepository>;

/** Creates a git repository with the branch `main`, whose author is Ann Author. */
export function createTemporaryRepository() {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-repository-'));
  const who = ['user.name=Ann Author', 'user.email=ann@daybook.example', 'commit.gpgsign=false', 'gc.auto=0'];
  const options = who.flatMap((each) => ['-c', each]);
  // Without the variables of a hook, and without the configuration of the machine and its user.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

  /** Runs git; returns what it prints. */
  const git = (...words: readonly string[]) =>
    execFileSync('git', [...options, ...words], { cwd: folder, encoding: 'utf8', env, stdio: 'pipe' }).trim();

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
  };

  git('init', '--quiet', '--initial-branch', 'main');
  return {
    folder,
    git,
    write,
    /** Commits files with all else that has changed; returns the commit. */
    commit: (files: Readonly<Record<string, string>>): string => {
      write(files);
      git('add', '--all');
      git('commit', '--quiet', '--message', 'test');
      return git('rev-parse', 'HEAD');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
