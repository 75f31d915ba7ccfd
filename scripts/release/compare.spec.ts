import type { Remote, State, StoredRelease } from '@daybook/contract/release';
import { createTemporaryRepository, type TemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkContains, expectNew } from './compare.ts';

const [former, next] = ['1.0.0-000000000001', '1.0.0-000000000002'];

describe('a release must contain the commit that visitors have', () => {
  let repository: TemporaryRepository;
  let first: string;
  let second: string;
  beforeEach(() => {
    repository = createTemporaryRepository();
    [first, second] = [repository.commit({ 'terms.md': '1' }), repository.commit({ 'terms.md': '2' })];
  });
  afterEach(() => repository.remove());

  const check = (commit: string) =>
    checkContains('mf-legal', { version: former, commit, author: 'Ann Author' }, '', repository.folder);

  test('a branch with the commit passes', () => {
    expect([check(first), check(second)]).toEqual([undefined, undefined]);
  });

  test('an older branch is refused with commit, author and date', () => {
    repository.git('switch', '--quiet', '--create', 'old', first);
    const named = `^Visitors have commit ${second.slice(0, 10)} by Ann Author of \\d{4}-\\d\\d-\\d\\d, which your branch`;
    expect(() => check(second)).toThrow(new RegExp(named));
  });

  test('a commit that the clone lacks is refused with the command that fetches it', () => {
    expect(() => check('a'.repeat(40))).toThrow('which this clone lacks. Run git fetch');
  });

  test('a release without a commit is not compared', () => {
    expect(checkContains('mf-legal', { version: former }, '')).toBe(`not compared, ${former} names no commit`);
  });
});

describe('a version that is stored already', () => {
  const check = (status: StoredRelease['status'], wasActive = false) =>
    expectNew(
      { remote: 'mf-legal', state: { active: former }, releases: [{ version: next, status }] } as unknown as Remote,
      wasActive ? [{ active: next } as State] : [],
      next,
      (words) => `releases ${words}`,
    );

  test.each(['active', 'canary', 'stored'] as const)('is published if it is %s', (status) => {
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
