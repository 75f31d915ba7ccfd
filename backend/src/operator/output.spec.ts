import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Terminal, UsageError } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { confirm, table, textOf, writeNewFile } from './output.ts';

test('textOf replaces terminal control characters and bidirectional controls', () => {
  expect(textOf('Ada\u001b[31m\u202e\n')).toBe('Ada�[31m��');
  expect(textOf({ name: 'Ada\u001b', list: ['\u202e', 'é'] })).toBe('name: Ada�, list: �, é');
  expect(textOf('Ada Lovelace, 你好 é')).toBe('Ada Lovelace, 你好 é');
});

test('a table right-aligns numbers, shows times to the second and a dash for missing values', () => {
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

describe('a confirmation', () => {
  let input: PassThrough & { isTTY?: boolean };
  let errors: PassThrough;
  beforeEach(() => {
    input = Object.assign(new PassThrough(), { isTTY: true });
    errors = new PassThrough();
  });
  const prompt = () => confirm('Forget it?', { input, errors } as unknown as Terminal, new AbortController().signal);

  test.each([
    ['yes\n', true],
    [' YES \n', true],
    ['y\n', false],
    ['\n', false],
    ['no\n', false],
  ])('treats the reply %j as %p', async (typed, isYes) => {
    const reply = prompt();
    input.write(typed);
    expect(await reply).toBe(isYes);
    expect(String(errors.read())).toBe('Forget it? Type yes: ');
  });

  test('treats the end of input as no', async () => {
    const reply = prompt();
    input.end();
    expect(await reply).toBe(false);
  });

  test('throws a UsageError without a terminal', async () => {
    input.isTTY = false;
    await expect(prompt()).rejects.toThrow(UsageError);
    expect(errors.read()).toBeNull();
  });
});

describe('writeNewFile', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'daybook-output-'));
    file = join(folder, 'export.csv');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (text: string) => (to: Writable) => pipeline([text], to);

  test('creates a file that only its owner can read', async () => {
    await writeNewFile(file, write('whole'));
    expect(readFileSync(file, 'utf8')).toBe('whole');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('does not overwrite an existing file', async () => {
    writeFileSync(file, 'old');
    await expect(writeNewFile(file, write('new'))).rejects.toThrow(
      `The file ${file} exists already. Remove it, or choose another name.`,
    );
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('leaves an existing file alone when the command is stopped before it writes', async () => {
    writeFileSync(file, 'old');
    const stopped = writeNewFile(file, () => Promise.reject(new Error('stopped')));
    await expect(stopped).rejects.toThrow();
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('removes the file when writing fails', async () => {
    const failing = writeNewFile(file, async (to) => {
      await write('half')(to);
      throw new Error('The database is gone.');
    });
    await expect(failing).rejects.toThrow('The database is gone.');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('suggests standard output where no file can be created, as in a container', async () => {
    const error = Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'write' });
    await expect(writeNewFile(file, () => Promise.reject(error))).rejects.toThrow(
      `${file} could not be written (EROFS). Omit --output and redirect standard output: docker compose exec -T`,
    );
  });

  test('names the file in the error for a missing folder', async () => {
    const nowhere = join(folder, 'nowhere/x.csv');
    await expect(writeNewFile(nowhere, write('x'))).rejects.toThrow(`${nowhere} could not be written (ENOENT).`);
  });
});
