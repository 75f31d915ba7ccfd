import { afterEach, expect, jest, test } from '@jest/globals';
import { log } from './log.ts';

const { console: realConsole } = globalThis;
afterEach(() => {
  globalThis.console = realConsole;
  jest.restoreAllMocks();
});

test('writes a message of each level to the console', () => {
  for (const level of ['log', 'warn', 'error'] as const) {
    const write = jest.spyOn(console, level).mockReturnValue();
    log(level, 'It failed:', 7);
    expect(write.mock.calls).toEqual([['It failed:', 7]]);
  }
});

const throwing = () => {
  throw new Error('It was replaced.');
};
test.each([undefined, null, {}, { log: throwing }])('does not throw if the console is %p', (replaced) => {
  globalThis.console = replaced as never;
  expect(() => log('log', 'A message')).not.toThrow();
});
