import { expect, test } from '@jest/globals';
import { eachOnce } from './check-steps.ts';

test('a type error in a file of several programs is reported once, with its indented lines', () => {
  const first = "a.ts(1,1): error TS2345: wrong\n  Property 'x' is missing\n";
  const second = "b.ts(1,1): error TS2345: wrong\n  Property 'x' is missing\n";
  expect(eachOnce(first + second + first)).toBe(first + second);
});
