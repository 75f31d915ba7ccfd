import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Terminal, UsageError } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { confirm, countOf, printable, writeAside } from './output.ts';

test('what a stranger wrote does not command the terminal, nor turn its text around', () => {
  expect(printable('Ada\u001b[31m\u202e\n')).toBe('Ada�[31m��');
  expect(printable('Ada Lovelace, 你好 é')).toBe('Ada Lovelace, 你好 é');
});

test.each([
  [0, '0 addresses'],
  [1, '1 address'],
  [1234567, '1,234,567 addresses'],
])('%p is %s', (count, text) => {
  expect(countOf(count, 'address', 'addresses')).toBe(text);
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

  test('is there once it is whole, for its owner alone', async () => {
    await writeAside(file, false, async (to) => {
      await write('whole')(to);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^export\.csv\.\d+\.unfinished$/)]);
    });
    expect(readdirSync(folder)).toEqual(['export.csv']);
    expect(readFileSync(file, 'utf8')).toBe('whole');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('that is there is replaced only by force', async () => {
    writeFileSync(file, 'old');
    await expect(writeAside(file, false, write('new'))).rejects.toThrow(
      `There is a file ${file} already. Write --force to replace it, or name another one.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('old');
    await writeAside(file, true, write('new'));
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  test('stays as it was when a newer one fails, and nothing is left beside it', async () => {
    writeFileSync(file, 'old');
    const failing = writeAside(file, true, async (to) => {
      await write('half')(to);
      throw new Error('The database is gone.');
    });
    await expect(failing).rejects.toThrow('The database is gone.');
    expect(readdirSync(folder)).toEqual(['export.csv']);
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('in a folder that is not there is named', async () => {
    const nowhere = join(folder, 'nowhere/x.csv');
    await expect(writeAside(nowhere, false, write('x'))).rejects.toThrow(`${nowhere} could not be written (ENOENT).`);
  });
});
