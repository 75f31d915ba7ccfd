import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeAside } from './output-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'daybook-output-'));
  file = join(folder, 'export.csv');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is there once it is whole, for its owner alone', async () => {
  await writeAside(file, false, async (unfinished) => {
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^export\.csv\.\d+\.unfinished$/)]);
    await writeFile(unfinished, 'whole');
  });
  expect(readdirSync(folder)).toEqual(['export.csv']);
  expect(readFileSync(file, 'utf8')).toBe('whole');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that is there is replaced only by force', async () => {
  writeFileSync(file, 'old');
  await expect(writeAside(file, false, async () => undefined)).rejects.toThrow(
    `There is a file ${file} already. Write --force to replace it, or name another one.`,
  );
  expect(readFileSync(file, 'utf8')).toBe('old');
  await writeAside(file, true, (unfinished) => writeFile(unfinished, 'new'));
  expect(readFileSync(file, 'utf8')).toBe('new');
});

test('what fails leaves an older file as it was, and nothing beside it', async () => {
  writeFileSync(file, 'old');
  const failing = writeAside(file, true, async (unfinished) => {
    await writeFile(unfinished, 'half');
    throw new Error('The database is gone.');
  });
  await expect(failing).rejects.toThrow('The database is gone.');
  expect(readdirSync(folder)).toEqual(['export.csv']);
  expect(readFileSync(file, 'utf8')).toBe('old');
});

test('a folder that is not there is named', async () => {
  const nowhere = join(folder, 'nowhere');
  await expect(writeAside(join(nowhere, 'x.csv'), false, async () => undefined)).rejects.toThrow(
    `In ${nowhere} no file can be written (ENOENT).`,
  );
});
