import type { Remote, State, StoredRelease } from '@daybook/contract/release';
import { createTemporaryRepository } from '@daybook/testing/temporary-repository';
import { afterAll, expect, test } from '@jest/globals';
import { checkContains, expectNew } from './compare.ts';

const [former, next] = ['1.0.0-000000000001', '1.0.0-000000000002'];

const repository = createTemporaryRepository();
afterAll(() => repository.remove());

test('a release must contain the commit that visitors have', () => {
  const [first, second] = [repository.commit({ 'terms.md': '1' }), repository.commit({ 'terms.md': '2' })];
  const check = (commit?: string) =>
    checkContains('mf-legal', { version: former, commit, author: 'Ann Author' }, '', repository.folder);
  expect([check(first), check(second)]).toEqual([undefined, undefined]);
  expect(check()).toBe(`not compared, ${former} names no commit`);
  expect(() => check('a'.repeat(40))).toThrow('which this clone lacks. Run git fetch');
  repository.git('switch', '--quiet', '--create', 'old', first);
  const named = `^Visitors have commit ${second.slice(0, 10)} by Ann Author of \\d{4}-\\d\\d-\\d\\d, which your branch`;
  expect(() => check(second)).toThrow(new RegExp(named));
});

test('a version that was rolled back or replaced is not published again', () => {
  const check = (status: StoredRelease['status'], wasActive = false) =>
    expectNew(
      { remote: 'mf-legal', state: { active: former }, releases: [{ version: next, status }] } as unknown as Remote,
      wasActive ? [{ active: next } as State] : [],
      next,
      (words) => `releases ${words}`,
    );
  for (const status of ['active', 'canary', 'stored'] as const) expect(() => check(status)).not.toThrow();
  expect(() => check('rolled back')).toThrow(
    `mf-legal@${next} was rolled back; visitors get ${former}.\nTo give it to all visitors again: releases activate mf-legal@${next}`,
  );
  expect(() => check('previous')).toThrow('was replaced');
  expect(() => check('stored', true)).toThrow('was replaced');
});
