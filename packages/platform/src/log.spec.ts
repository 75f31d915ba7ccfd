import { afterEach, expect, jest, test } from '@jest/globals';
import { log } from './log.ts';

const { console } = globalThis;
afterEach(() => {
  globalThis.console = console;
  jest.restoreAllMocks();
});

test.each(['log', 'warn', 'error'] as const)('writes a message of the level %s', (level) => {
  const write = jest.spyOn(console, level).mockReturnValue();
  log(level, 'It failed:', 7);
  expect(write.mock.calls).toEqual([['It failed:', 7]]);
});

test.each([
  ['is missing', undefined],
  ['is null', null],
  ['has no methods', {}],
  [
    'throws',
    {
      log() {
        throw new Error('It was replaced.');
      },
    },
  ],
])('does not throw if the console %s', (_how, replaced) => {
  globalThis.console = replaced as never;
  expect(() => log('log', 'A message')).not.toThrow();
});
