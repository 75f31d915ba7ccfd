import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Remote, State, StoredRelease } from '@daybook/contract/release';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkContains, expectNew } from './compare.ts';

const [former, next] = ['1.0.0-000000000001', '1.0.0-000000000002'];

describe('a release must contain the commit that visitors have', () => {
  let repository: TemporaryRepository;
  beforeEach(() => {
    repository = createTemporaryRepository();
  });
  afterEach(() => repository.remove());

  const commit = (text: string) => repository.commit({ 'terms.md': text });
  const check = (of?: string) =>
    checkContains(
      'mf-legal',
      { version: former, ...(of && { commit: of, author: 'Ann Author' }) },
      '',
      repository.folder,
    );

  test('a branch with the commit passes', () => {
    const [first, second] = [commit('1'), commit('2')];
    expect([check(first), check(second)]).toEqual([undefined, undefined]);
  });

  test('an older branch is refused with commit, author and date', () => {
    const [first, second] = [commit('1'), commit('2')];
    repository.git('switch', '--quiet', '--create', 'old', first);
    expect(() => check(second)).toThrow(
      new RegExp(
        `^Visitors have commit ${second.slice(0, 10)} by Ann Author of \\d{4}-\\d\\d-\\d\\d, which your branch`,
      ),
    );
  });

  test('a commit that the clone lacks is refused with the command that fetches it', () => {
    commit('1');
    expect(() => check('a'.repeat(40))).toThrow('which this clone lacks. Run git fetch');
  });

  test('what git cannot compare is said', () => {
    commit('1');
    expect(check()).toBe(`not compared, ${former} names no commit`);
    rmSync(path.join(repository.folder, '.git'), { recursive: true });
    expect(check('a'.repeat(40))).toBe('not compared, there is no git repository');
  });
});

describe('a version that is stored already', () => {
  const check = (status: StoredRelease['status'] | undefined, wasActive = false) =>
    expectNew(
      {
        remote: 'mf-legal',
        state: { active: former },
        releases: status ? [{ version: next, status }] : [],
      } as unknown as Remote,
      wasActive ? [{ active: next } as State] : [],
      next,
      (words) => `releases ${words}`,
    );

  test.each([undefined, 'active', 'canary', 'stored'] as const)('is published if it is %s', (status) => {
    expect(() => check(status)).not.toThrow();
  });

  test('is not published after a rollback', () => {
    expect(() => check('rolled back')).toThrow(
      `mf-legal@${next} was rolled back; visitors get ${former}.\nTo give it to all visitors again: releases activate mf-legal@${next}`,
    );
  });

  test('is not published if a newer one replaced it', () => {
    expect(() => check('previous')).toThrow('was replaced');
    expect(() => check('stored', true)).toThrow('was replaced');
  });
});
