import { contractVersion, type Release } from '@daybook/contract/release';
import { describe, expect, test } from '@jest/globals';
import { compareWithBudget, suggestBudget, weights } from './budgets.ts';

const file = (size: number) => ({ integrity: `sha384-${'A'.repeat(64)}`, size });
const release: Release = {
  name: 'mf-press',
  version: '1.0.0-00000001',
  contract: contractVersion,
  designSystem: null,
  entry: 'remoteEntry.00000001.js',
  routes: [
    { path: '/press', title: 'Press', description: 'Press.', frame: 'site', files: ['1.js', '1.css'] },
    { path: '/facts', title: 'Facts', description: 'Facts.', frame: 'site', files: ['1.js'] },
  ],
  files: {
    'remoteEntry.00000001.js': file(30_000),
    'remoteEntry.00000001.js.br': file(8_000),
    '1.js': file(5_000),
    '1.js.br': file(2_000),
    '1.js.gz': file(2_500),
    '1.css': file(900),
    'picture.png': file(90_000),
  },
};
const good = { entry: 9_000, '/press': 3_000, '/facts': 2_000 };
const problemsOf = (budget: unknown) => compareWithBudget(release, budget, 'mf-press/package.json').problems;

describe('the weight of a release', () => {
  test('counts transferred bytes: compressed if available, without pictures', () => {
    expect(weights(release)).toEqual(
      new Map([
        ['entry', 8_000],
        ['/press', 2_900],
        ['/facts', 2_000],
      ]),
    );
  });
});

describe('the budget of a release', () => {
  test('accepts a release exactly at its budget and rejects one byte more', () => {
    expect(problemsOf(good)).toEqual([]);
    expect(problemsOf({ ...good, '/facts': 1_999 })).toEqual([
      'mf-press/package.json: /facts weighs 2,000 bytes, 1 over its budget of 1,999. Make it lighter, or raise the budget: "/facts": 2300',
    ]);
  });

  test.each([[undefined], [null], ['lots'], [{}]])('suggests a budget for each part if it is %p', (budget) => {
    expect(problemsOf(budget)).toEqual([
      'mf-press/package.json: entry weighs 8,000 bytes and has no budget. Write in "budget": "entry": 9000',
      'mf-press/package.json: /press weighs 2,900 bytes and has no budget. Write in "budget": "/press": 3300',
      'mf-press/package.json: /facts weighs 2,000 bytes and has no budget. Write in "budget": "/facts": 2300',
    ]);
  });

  test.each([['2000'], [0], [-1], [1.5], [null]])('rejects %p as the limit of a part', (limit) => {
    expect(problemsOf({ ...good, '/facts': limit })).toEqual([
      `mf-press/package.json: The budget of /facts is ${JSON.stringify(limit)}; it must be a number of bytes: "/facts": 2300`,
    ]);
  });

  test('rejects a limit for an unknown route', () => {
    expect(problemsOf({ ...good, '/gone': 1 })).toEqual([
      'mf-press/package.json: "/gone" is not a route of the remote. Remove it from "budget".',
    ]);
  });

  test('suggests some headroom for a new part', () => {
    expect(suggestBudget(8_000)).toBe(9_000);
  });
});
