import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import * as z from 'zod';
import { commaSeparated, readEnvironment, type VariableMeta, wholeNumber } from './environment.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-environment-'));
afterAll(() => rmSync(folder, { recursive: true }));

const schema = z.object({
  PORT: wholeNumber(0, 9).default(3),
  WAIT: wholeNumber(0, 1).optional(),
  SECRET: z
    .string()
    .min(4)
    .meta({ secretsIn: commaSeparated } satisfies VariableMeta),
});
const read = (variables: Record<string, string>) => () => readEnvironment(schema, variables);

test('readEnvironment applies defaults, also to empty variables, and ignores unknown ones', () => {
  expect(read({ SECRET: 'abcd', PORT: '', WAIT: '', HOME: '/' })()).toEqual({ PORT: 3, SECRET: 'abcd' });
  expect(read({ SECRET: 'abcd', PORT: '5', WAIT: '1' })()).toEqual({ PORT: 5, WAIT: 1, SECRET: 'abcd' });
});

test('readEnvironment names every invalid variable, without its value', () => {
  expect(read({ PORT: '80a', WAIT: 'long', SECRET: 'abc' })).toThrow(
    /^These settings cannot be used:\n {2}PORT: must be a whole number from 0 to 9\n {2}WAIT: must be a whole number from 0 to 1\n {2}SECRET: (?!.*abc).+$/,
  );
  expect(read({})).toThrow('These settings cannot be used:\n  SECRET: is required');
});

test('readEnvironment reads secrets alone from files, without the line break at the end', () => {
  const file = path.join(folder, 'secret');
  writeFileSync(file, '7777\n');
  expect(read({ SECRET_FILE: file, PORT_FILE: file })()).toEqual({ SECRET: '7777', PORT: 3 });
  expect(read({ SECRET: 'abcd', SECRET_FILE: '' })().SECRET).toBe('abcd');
  const twice = '  SECRET: and SECRET_FILE are both set; set one of them';
  expect(read({ SECRET: 'hunter2', SECRET_FILE: file })).toThrow(twice);
  const missing = 'These settings cannot be used:\n  SECRET_FILE: names a file that cannot be read (ENOENT)';
  expect(read({ SECRET_FILE: '/nowhere' })).toThrow(missing);
});

test('readEnvironment rejects short secrets and examples only in production', () => {
  const good = '3f9ac2d14f9a1c7e';
  expect(read({ SECRET: good, NODE_ENV: 'production' })).not.toThrow();
  for (const weak of ['abcd', `${good},abcd`, `please-ChangeMe-${good}`, `my-super-secret-${good}`]) {
    expect(read({ SECRET: weak })).not.toThrow();
    expect(read({ SECRET: weak, NODE_ENV: 'production' })).toThrow(/ {2}SECRET: .+; make one with: openssl rand/);
  }
});
