import { CommandError } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
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

describe('steps', () => {
  test('print their name, result and duration, and return their value', async () => {
    expect(await step('count', never, () => '3 passed')).toBe('3 passed');
    await expect(step('types', never, failing('Wrong.'))).rejects.toThrow('Wrong.');
    expect(lines).toEqual(['  ✓ count: 3 passed (… s)', '  ✗ types (… s)']);
  });

  test('in parallel all run to their end, print in their order, and report all errors', async () => {
    const first = Promise.withResolvers<void>();
    const running = inParallel(never, {
      types: () => first.promise.then(failing('Wrong type.')),
      tests: failing('Failed test.'),
      browser: () => first.resolve(),
    });
    await expect(running).rejects.toThrow('Wrong type.\n\nFailed test.');
    expect(lines).toEqual(['  ✗ types (… s)', '  ✗ tests (… s)', '  ✓ browser (… s)']);
  });

  test('report an unexpected error as it is', async () => {
    const bug = new TypeError('A bug.');
    const steps = { types: failing('Wrong type.'), tests: () => Promise.reject(bug) };
    await expect(inParallel(never, steps)).rejects.toBe(bug);
  });

  test('do not start after the command was stopped', async () => {
    const run = jest.fn();
    await expect(step('types', AbortSignal.abort(), run)).rejects.toThrow(/aborted/);
    await expect(inParallel(AbortSignal.abort(), { types: run })).rejects.toThrow(/aborted/);
    expect(run).not.toHaveBeenCalled();
  });
});
