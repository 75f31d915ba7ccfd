import { type Release, releaseSchema } from '@daybook/contract/release';
import { describe, expect, test } from '@jest/globals';
import { routeOf, versionOf, wholeRelease } from '../test/releases.ts';
import { describeIssues } from './issues.ts';

const describeInvalid = (changes: object | null) => {
  const release = changes && { ...wholeRelease('mf-legal', versionOf(1)), ...changes };
  const { error } = releaseSchema.safeParse(release);
  return error && describeIssues(error, release);
};
const routes = (change: Partial<Release['routes'][number]>) => [routeOf('/terms'), { ...routeOf('/press'), ...change }];

describe('errors of a schema', () => {
  test.each([
    [
      'a long title',
      { routes: routes({ title: 'x'.repeat(201) }) },
      'routes[1] (/press).title must have 200 characters or fewer',
    ],
    [
      'a reserved path',
      { routes: routes({ path: '/api/press' }) },
      'routes[1].path “/api/press” is reserved for the shell server',
    ],
    ['a missing field', { entry: undefined }, 'entry: Invalid input: expected string, received undefined'],
    ['something else', null, 'it: Invalid input: expected object, received null'],
  ])('name the path of %s', (_what, changes, message) => {
    expect(describeInvalid(changes)).toBe(message);
  });

  test('are at most three', () => {
    const invalid = Array.from({ length: 5 }, () => ({ ...routeOf('/terms'), title: '' }));
    expect(describeInvalid({ routes: invalid })).toMatch(
      /^routes\[0\] \(\/terms\)\.title “”: .*; routes\[2\] [^;]*; and 2 more$/,
    );
  });
});
