import { PassThrough } from 'node:stream';
import { beforeEach, expect, test } from '@jest/globals';
import type { Workplace } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { confirm } from './confirm.ts';

let input: PassThrough & { isTTY?: boolean };
let errors: PassThrough;
beforeEach(() => {
  input = Object.assign(new PassThrough(), { isTTY: true });
  errors = new PassThrough();
});

const ask = () =>
  confirm('Forget it?', { terminal: { input, errors }, stop: new AbortController().signal } as unknown as Workplace);

test.each([
  ['yes\n', true],
  [' YES \n', true],
  ['y\n', false],
  ['\n', false],
  ['no\n', false],
])('%j is taken as %p', async (typed, isYes) => {
  const answer = ask();
  input.write(typed);
  expect(await answer).toBe(isYes);
  expect(String(errors.read())).toBe('Forget it? Type yes: ');
});

test('an end of input is a no', async () => {
  const answer = ask();
  input.end();
  expect(await answer).toBe(false);
});

test('without a terminal nobody is asked', async () => {
  input.isTTY = false;
  await expect(ask()).rejects.toThrow(UsageError);
  expect(errors.read()).toBeNull();
});
