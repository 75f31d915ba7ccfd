import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Terminal, UsageError } from '@daybook/server';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { confirm, table, writeNewFile } from './output.ts';

test('a table replaces characters that control a terminal, in any value', () => {
  const values = ['Ada\u001b[31m\u202e\n 你好 é', { name: 'Ada\u009b', list: ['\u2028', 'é'] }];
  expect(table(values, { NAME: (value) => value })).toEqual(['NAME', 'Ada�[31m�� 你好 é', 'name: Ada�, list: �, é']);
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
  const prompt = (isTTY: boolean, typed: string) => {
    const [input, errors] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
    const reply = confirm('Forget it?', { input, errors } as unknown as Terminal, new AbortController().signal);
    input.end(typed);
    return { reply, errors };
  };

  test.each([
    ['yes\n', true],
    [' YES \n', true],
    ['y\n', false],
    ['\n', false],
    ['no\n', false],
    // The end of the input.
    ['', false],
  ])('treats the reply %j as %p', async (typed, isYes) => {
    const { reply, errors } = prompt(true, typed);
    expect(await reply).toBe(isYes);
    expect(String(errors.read())).toBe('Forget it? Type yes: ');
  });

  test('throws a UsageError without a terminal', async () => {
    await expect(prompt(false, 'yes\n').reply).rejects.toThrow(UsageError);
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

  test('creates a file that only its owner can read, and overwrites no existing one', async () => {
    await writeNewFile(file, write('whole'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const message = `The file ${file} exists already. Remove it, or choose another name.`;
    await expect(writeNewFile(file, write('new'))).rejects.toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe('whole');
  });

  test('removes the file when writing fails, and suggests standard output where none can be, as in a container', async () => {
    const failing = (error: Error) =>
      writeNewFile(file, async (to) => {
        await write('half')(to);
        throw error;
      });
    await expect(failing(new Error('The database is gone.'))).rejects.toThrow('The database is gone.');
    const readOnly = Object.assign(new Error('read-only'), { code: 'EROFS', syscall: 'write' });
    await expect(failing(readOnly)).rejects.toThrow(
      `${file} could not be written (EROFS). Omit --output and redirect standard output: docker compose exec -T`,
    );
    expect(readdirSync(folder)).toEqual([]);
    const nowhere = join(folder, 'nowhere/x.csv');
    await expect(writeNewFile(nowhere, write('x'))).rejects.toThrow(`${nowhere} could not be written (ENOENT).`);
  });
});
