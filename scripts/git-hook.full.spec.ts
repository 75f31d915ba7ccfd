import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/runner/workspaces';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

/** All tests that call git. */
const specs = ['build/src/git.spec', 'release/compare.spec', 'legal-page/dates.spec', 'scripts/build.spec'];

let repository: TemporaryRepository;
beforeEach(() => {
  repository = createTemporaryRepository();
  repository.commit({ 'README.md': 'A developer’s repository.\n' });
});
afterEach(() => repository.remove());

/** Returns what tests in a hook must not change. */
function stateOf({ git }: TemporaryRepository) {
  const commands = [
    ['rev-list', '--all'],
    ['config', '--local', '--list'],
    ['ls-files', '--stage'],
    ['stash', 'list'],
  ];
  return [...commands, ['worktree', 'list'], ['for-each-ref']].map((words) => git(...words));
}

test.each([
  ['by the command', `scripts/main.ts test units`],
  ['by an editor', `--experimental-vm-modules node_modules/jest/bin/jest.js`],
])('tests that are run %s in a hook leave the developer’s repository as it is', (_how, program) => {
  const { folder, git, place } = repository;
  const output = path.join(place, 'output');
  const variables = ['IN_HOOK=1', `GIT_DIR='${folder}/.git'`, `GIT_WORK_TREE='${folder}'`, 'GIT_AUTHOR_NAME=Somebody'];
  const hook = [
    '#!/bin/sh',
    // A test that commits to this repository would run the hook again, and again.
    '[ -z "$IN_HOOK" ] || exit 1',
    `cd '${root}' && exec env -u NODE_OPTIONS ${variables.join(' ')} '${process.execPath}' ${program} ${specs.join(' ')} > '${output}' 2>&1`,
  ];
  writeFileSync(path.join(folder, '.git/hooks/pre-commit'), `${hook.join('\n')}\n`, { mode: 0o755 });
  const before = stateOf(repository);
  repository.write({ 'README.md': 'Changed.\n' });
  git('add', '--all');
  const staged = git('diff', '--cached');
  git('commit', '--quiet', '--message', 'in a hook');
  git('reset', '--quiet', '--soft', 'HEAD~1');
  expect(git('diff', '--cached')).toBe(staged);
  git('reset', '--quiet', '--hard');
  expect(stateOf(repository)).toEqual(before);
});
