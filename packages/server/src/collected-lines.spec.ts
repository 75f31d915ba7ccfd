import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CollectedLines } from './collected-lines.ts';

let written: string[];
let lines: CollectedLines;

beforeEach(() => {
  jest.useFakeTimers();
  written = [];
  lines = new CollectedLines({ write: (text) => written.push(text) });
});
afterEach(() => {
  jest.useRealTimers();
});

test('lines of a moment are written at once, in their order', () => {
  lines.write('one\n');
  jest.advanceTimersByTime(49);
  lines.write('two\n');
  expect(written).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(written).toEqual(['one\ntwo\n']);
});

test('a later line is written after a time of its own', () => {
  lines.write('one\n');
  jest.advanceTimersByTime(50);
  lines.write('two\n');
  jest.advanceTimersByTime(50);
  expect(written).toEqual(['one\n', 'two\n']);
});

test('many lines do not wait', () => {
  const line = `${'x'.repeat(1_023)}\n`;
  for (let count = 0; count < 16; count++) lines.write(line);
  expect(written).toEqual([line.repeat(16)]);
  jest.runAllTimers();
  expect(written).toHaveLength(1);
});

test('what is left at the end is written once', () => {
  lines.write('last\n');
  lines.flush();
  lines.flush();
  expect(written).toEqual(['last\n']);
});
