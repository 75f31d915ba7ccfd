import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sourceCommit } from './source-commit.ts';

const manifest = 'mf-news/package.json';
const page = 'mf-news/src/café page.ts';
const sources = [manifest, page];

let repository: TemporaryRepository;
let first: string;
const before = { ...process.env };

beforeEach(() => {
  repository = createTemporaryRepository();
  first = repository.commit({ [manifest]: '{}', [page]: '1' });
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  repository.remove();
});

const stated = (folder = repository.folder, files: readonly string[] = sources) => sourceCommit(folder, files);

/** Writes the configuration of git's user. */
function configureUser(text: string): void {
  const home = path.join(repository.place, 'home');
  mkdirSync(home);
  writeFileSync(path.join(home, '.gitconfig'), text);
  process.env.HOME = home;
  delete process.env.XDG_CONFIG_HOME;
}

/** Writes a program that must not run, and notes if it did. */
function forbiddenProgram(): { readonly file: string; readonly ran: () => string } {
  const [file, note] = ['program', 'note'].map((name) => path.join(repository.place, name)) as [string, string];
  writeFileSync(file, `#!/bin/sh\necho "$0 $*" >> '${note}'\nexit 1\n`, { mode: 0o755 });
  writeFileSync(note, '');
  return { file, ran: () => execFileSync('cat', [note], { encoding: 'utf8' }) };
}

/** Adds a signature to the last commit; returns the signed one. */
function sign({ git, folder }: TemporaryRepository): string {
  const [head = '', ...rest] = git('cat-file', 'commit', 'HEAD').split('\n\n');
  const signature = ['-----BEGIN PGP SIGNATURE-----', '', 'AAAA', '-----END PGP SIGNATURE-----'].join('\n ');
  const signed = path.join(folder, '.git/signed');
  writeFileSync(signed, `${head}\ngpgsig ${signature}\n\n${rest.join('\n\n')}\n`);
  const commit = git('hash-object', '-t', 'commit', '-w', signed);
  git('update-ref', 'refs/heads/main', commit);
  return commit;
}

test('a release states the last commit that changed its sources, and the author', () => {
  repository.commit({ 'mf-other/package.json': '{}' });
  expect(stated()).toEqual({ commit: first, author: 'Ann Author' });
  const second = repository.commit({ [page]: '2' });
  expect(stated()).toEqual({ commit: second, author: 'Ann Author' });
});

describe('a release states no commit, and why', () => {
  test.each<[string, string | RegExp, (repository: TemporaryRepository) => string | undefined]>([
    ['a source has changed', `not committed: ${page}`, ({ write }) => void write({ [page]: '2' })],
    ['a source is gone', `not committed: ${page}`, ({ folder }) => void rmSync(path.join(folder, page))],
    [
      'a change is staged only',
      `not committed: ${page}`,
      ({ write, git }) => {
        write({ [page]: '2' });
        git('add', '--all');
        return undefined;
      },
    ],
    [
      'a source is new, and the user wants to see no new files',
      `not committed: ${page}`,
      ({ git }) => {
        git('rm', '--quiet', '--cached', page);
        git('commit', '--quiet', '--message', 'test');
        configureUser('[status]\n  showUntrackedFiles = no\n');
        return undefined;
      },
    ],
    [
      'a source is ignored',
      `not committed: ${page}`,
      ({ git }) => {
        git('rm', '--quiet', '--cached', page);
        git('commit', '--quiet', '--message', 'test');
        const excludes = path.join(repository.place, 'excludes');
        writeFileSync(excludes, '*.ts\n');
        configureUser(`[core]\n  excludesFile = ${excludes}\n`);
        return undefined;
      },
    ],
    ...['--assume-unchanged', '--skip-worktree'].map(
      (flag): [string, string, (repository: TemporaryRepository) => undefined] => [
        `a changed source is marked with ${flag}`,
        `not committed: ${page}`,
        ({ git, write }) => {
          git('update-index', flag, page);
          write({ [page]: '2' });
        },
      ],
    ),
    [
      'a checkout differs from the commit by its line ends',
      `not committed: ${page}`,
      ({ git, write, commit }) => {
        commit({ [page]: 'a\nb\n' });
        git('config', 'core.autocrlf', 'true');
        write({ [page]: 'a\r\nb\r\n' });
        return undefined;
      },
    ],
    [
      'there is no repository',
      'no git repository',
      ({ folder }) => void rmSync(path.join(folder, '.git'), { recursive: true }),
    ],
    [
      'only a folder above is a repository',
      'no git repository',
      ({ folder }) => {
        const copy = path.join(folder, 'copy');
        cpSync(path.join(folder, 'mf-news'), path.join(copy, 'mf-news'), { recursive: true });
        return copy;
      },
    ],
    [
      'the repository of a worktree is gone',
      /^git fails: .*not a git repository/,
      ({ folder }) => {
        rmSync(path.join(folder, '.git'), { recursive: true });
        writeFileSync(path.join(folder, '.git'), 'gitdir: /nowhere/.git/worktrees/clone\n');
        return undefined;
      },
    ],
    [
      'nothing is committed yet',
      /^git fails: .*HEAD/,
      ({ git }) => {
        git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
        return undefined;
      },
    ],
    [
      'git is not installed',
      'git is not installed',
      () => {
        process.env.PATH = repository.place;
        return undefined;
      },
    ],
    [
      'this git does not know the format of the repository',
      /^git fails: .*extension/,
      ({ git }) => {
        git('config', 'core.repositoryFormatVersion', '1');
        git('config', 'extensions.fromTheFuture', 'true');
        return undefined;
      },
    ],
    [
      'the history ends at that commit',
      'the clone is shallow, without the history of its sources: git fetch --unshallow',
      ({ commit, git, folder, place }) => {
        commit({ 'mf-other/package.json': '{}' });
        git('clone', '--quiet', '--depth', '1', `file://${folder}`, path.join(place, 'shallow'));
        return path.join(place, 'shallow');
      },
    ],
  ])('if %s', (_what, why, prepare) => {
    const folder = prepare(repository);
    const { commit, author, ...rest } = stated(folder);
    expect([commit, author, rest]).toEqual([
      undefined,
      undefined,
      { why: typeof why === 'string' ? why : expect.stringMatching(why) },
    ]);
  });
});

describe('a release states its commit whatever git is set to', () => {
  test('signatures, formats, colors, quoted and relative paths, aliases, encoding, hidden files, line ends and hooks', () => {
    configureUser(`
      [log]\n showSignature = true\n date = relative\n decorate = full\n follow = true\n mailmap = true
      [format]\n pretty = oneline
      [color]\n ui = always\n status = always
      [core]\n quotePath = true\n autocrlf = true\n hooksPath = /nowhere
      [alias]\n status = !false\n log = !false\n ls-tree = !false\n rev-list = !false
      [i18n]\n logOutputEncoding = UTF-16
      [status]\n relativePaths = true\n short = true\n branch = true\n showUntrackedFiles = no
      [diff]\n relative = true
      [init]\n defaultBranch = trunk
    `);
    const commit = sign(repository);
    expect(stated()).toEqual({ commit, author: 'Ann Author' });
  });

  test('programs that the repository or the user configures do not run', () => {
    const { file, ran } = forbiddenProgram();
    configureUser(
      `[core]\n  pager = ${file}\n  fsmonitor = ${file}\n  sshCommand = ${file}\n  editor = ${file}\n[diff]\n  external = ${file}\n[filter "evil"]\n  clean = ${file}\n  smudge = ${file}\n  required = true\n[gpg]\n  program = ${file}\n[log]\n  showSignature = true\n`,
    );
    repository.commit({ '.gitattributes': '* filter=evil diff=evil\n', [page]: '2' });
    const commit = sign(repository);
    repository.git('config', 'core.fsmonitor', file);
    expect(stated()).toEqual({ commit, author: 'Ann Author' });
    expect(ran()).toBe('');
  });

  test('in a hook, whose variables name another repository', () => {
    const other = createTemporaryRepository();
    other.commit({ [manifest]: '{}' });
    Object.assign(process.env, {
      GIT_DIR: path.join(other.folder, '.git'),
      GIT_WORK_TREE: other.folder,
      GIT_INDEX_FILE: path.join(other.folder, '.git/index'),
      GIT_PREFIX: 'mf-news/',
      GIT_CONFIG_PARAMETERS: "'core.worktree'='/nowhere'",
      GIT_NAMESPACE: 'other',
      GIT_OBJECT_DIRECTORY: '/nowhere',
      GIT_CEILING_DIRECTORIES: repository.place,
      GIT_TRACE: '1',
    });
    expect(stated()).toEqual({ commit: first, author: 'Ann Author' });
    other.remove();
  });

  test.each<[string, (repository: TemporaryRepository) => string | undefined]>([
    ['a detached HEAD', ({ git }) => void git('checkout', '--quiet', '--detach')],
    [
      'a worktree with a configuration of its own',
      ({ git, place }) => {
        git('config', 'extensions.worktreeConfig', 'true');
        git('worktree', 'add', '--quiet', path.join(place, 'tree'));
        git('-C', path.join(place, 'tree'), 'config', '--worktree', 'core.quotePath', 'true');
        return path.join(place, 'tree');
      },
    ],
    [
      'a worktree of a bare repository',
      ({ git, folder, place }) => {
        git('clone', '--quiet', '--bare', folder, path.join(place, 'bare'));
        git('-C', path.join(place, 'bare'), 'worktree', 'add', '--quiet', path.join(place, 'tree'), 'main');
        return path.join(place, 'tree');
      },
    ],
    [
      'a submodule',
      ({ git, folder, place }) => {
        const parent = path.join(place, 'parent');
        git('init', '--quiet', parent);
        git('-C', parent, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder, 'part');
        return path.join(parent, 'part');
      },
    ],
    [
      'a partial clone',
      ({ git, folder, place }) => {
        git('config', 'uploadpack.allowFilter', 'true');
        git('clone', '--quiet', '--filter', 'blob:none', `file://${folder}`, path.join(place, 'partial'));
        return path.join(place, 'partial');
      },
    ],
    [
      'a clone of other depth, if the commit is in it',
      ({ git, folder, place, commit }) => {
        first = commit({ [page]: '2' });
        git('clone', '--quiet', '--depth', '2', `file://${folder}`, path.join(place, 'shallow'));
        return path.join(place, 'shallow');
      },
    ],
    [
      'a clone of another owner',
      ({ folder }) => {
        if (process.getuid?.() === 0) execFileSync('chown', ['--recursive', '12345', folder]);
        return undefined;
      },
    ],
    [
      'a symbolic link to the clone',
      ({ folder, place }) => {
        symlinkSync(folder, path.join(place, 'link'));
        return path.join(place, 'link');
      },
    ],
    ['packed references', ({ git }) => void git('pack-refs', '--all')],
    [
      'a replaced commit',
      ({ git }) => {
        const tree = git('rev-parse', 'HEAD^{tree}');
        git('replace', first, git('commit-tree', tree, '-m', 'other', '-m', 'one'));
        return undefined;
      },
    ],
    [
      'ignored files beside the sources',
      ({ write }) => void write({ '.gitignore': '*.log\n', 'mf-news/src/a.log': '' }),
    ],
    ['a source with a new time and mode', ({ folder }) => void execFileSync('chmod', ['700', path.join(folder, page)])],
  ])('in %s', (_what, prepare) => {
    expect(stated(prepare(repository))).toEqual({ commit: first, author: expect.any(String) });
  });

  test('names of files mean themselves, not patterns', () => {
    const odd = ['mf-news/[a].ts', 'mf-news/*.ts', ':(glob)mf-news/b.ts', '-x', 'mf-news/a"b\\c\n.ts'];
    const commit = repository.commit(Object.fromEntries(odd.map((name) => [name, '1'])));
    repository.commit({ 'mf-news/a.ts': '1', 'mf-news/b.ts': '1' });
    expect(stated(undefined, odd)).toEqual({ commit, author: 'Ann Author' });
  });
});

test('a repository with SHA-256', () => {
  const modern = createTemporaryRepository('--object-format=sha256');
  const commit = modern.commit({ [manifest]: '{}', [page]: '1' });
  expect(commit).toHaveLength(64);
  expect(stated(modern.folder)).toEqual({ commit, author: 'Ann Author' });
  modern.write({ [page]: '2' });
  expect(stated(modern.folder)).toEqual({ why: `not committed: ${page}` });
  modern.remove();
});
