import { afterEach, expect, jest, test } from '@jest/globals';
import { log } from './log.ts';

const { console: realConsole } = globalThis;
afterEach(() => void Object.assign(globalThis, { console: realConsole }));

test('a message is written to the console with its level', () => {
  const write = jest.spyOn(console, 'warn').mockReturnValue();
  log('warn', 'It failed:', 7);
  expect(write.mock.calls).toEqual([['It failed:', 7]]);
  write.mockRestore();
});

test.each([undefined, {}])('a message is lost if the console is %p', (replaced) => {
  Object.assign(globalThis, { console: replaced });
  expect(() => log('log', 'A message')).not.toThrow();
});
