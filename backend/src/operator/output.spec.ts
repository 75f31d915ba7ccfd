import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Terminal, UsageError } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { confirm, countOf, table, textOf, writeNewFile } from './output.ts';

test('what a stranger wrote does not command the terminal, nor turn its text around', () => {
  expect(textOf('Ada\u001b[31m\u202e\n')).toBe('Ada�[31m��');
  expect(textOf({ name: 'Ada\u001b', list: ['\u202e', 'é'] })).toBe('name: Ada�, list: �, é');
  expect(textOf('Ada Lovelace, 你好 é')).toBe('Ada Lovelace, 你好 é');
});

test.each([
  [0, '0 addresses'],
  [1, '1 address'],
  [1234567, '1,234,567 addresses'],
])('%p is %s', (count, text) => {
  expect(countOf(count, 'address', 'addresses')).toBe(text);
});

test('a table has its numbers on the right, moments to the second and a dash for nothing', () => {
  const rows = [
    { at: new Date(0), count: 1234, note: 'a' },
    { at: null, count: 7, note: undefined },
  ];
  expect(table(rows, { AT: ({ at }) => at, COUNT: ({ count }) => count, NOTE: ({ note }) => note })).toEqual([
    'AT                   COUNT  NOTE',
    '1970-01-01 00:00:00  1,234  a',
    '–                        7  –',
  ]);
});

describe('a question', () => {
  let input: PassThrough & { isTTY?: boolean };
  let errors: PassThrough;
  beforeEach(() => {
    input = Object.assign(new PassThrough(), { isTTY: true });
    errors = new PassThrough();
  });
  const ask = () => confirm('Forget it?', { input, errors } as unknown as Terminal, new AbortController().signal);

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

  test('without a terminal is not asked', async () => {
    input.isTTY = false;
    await expect(ask()).rejects.toThrow(UsageError);
    expect(errors.read()).toBeNull();
  });
});

describe('a file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'daybook-output-'));
    file = join(folder, 'export.csv');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (text: string) => (to: Writable) => pipeline([text], to);

  test('is for its owner alone', async () => {
    await writeNewFile(file, write('whole'));
    expect(readFileSync(file, 'utf8')).toBe('whole');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that is there is not replaced', async () => {
    writeFileSync(file, 'old');
    await expect(writeNewFile(file, write('new'))).rejects.toThrow(
      `There is a file ${file} already. Remove it, or name another one.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('is removed where writing it fails', async () => {
    const failing = writeNewFile(file, async (to) => {
      await write('half')(to);
      throw new Error('The database is gone.');
    });
    await expect(failing).rejects.toThrow('The database is gone.');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('in a folder that is not there is named', async () => {
    const nowhere = join(folder, 'nowhere/x.csv');
    await expect(writeNewFile(nowhere, write('x'))).rejects.toThrow(`${nowhere} could not be written (ENOENT).`);
  });
});
