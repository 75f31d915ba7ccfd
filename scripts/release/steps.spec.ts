import { CommandError } from '@daybook/server/command-line';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { inParallel, step } from './steps.ts';

const never = new AbortController().signal;
let lines: string[];
beforeEach(() => {
  lines = [];
  jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line.replace(/\d+\.\d s/, '… s')));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const failing = (message: string) => async () => {
  throw new CommandError(message);
};

test('steps in parallel run to their end and report all errors', async () => {
  const first = Promise.withResolvers<void>();
  const running = inParallel(never, {
    types: () => first.promise.then(failing('Wrong type.')),
    tests: failing('Failed test.'),
    browser: () => first.resolve(),
  });
  await expect(running).rejects.toThrow('Wrong type.\n\nFailed test.');
  expect(lines).toEqual(['  ✗ types (… s)', '  ✗ tests (… s)', '  ✓ browser (… s)']);
});

test('no step starts after the command was stopped', async () => {
  const run = jest.fn();
  await expect(step('types', AbortSignal.abort(), run)).rejects.toThrow(/aborted/);
  await expect(inParallel(AbortSignal.abort(), { types: run })).rejects.toThrow(/aborted/);
  expect(run).not.toHaveBeenCalled();
});
