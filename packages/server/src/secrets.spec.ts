import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSecretFiles, weaknessOf, weakSecrets } from './secrets.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-secrets-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(content: string): string {
  const place = path.join(folder, randomBytes(8).toString('hex'));
  writeFileSync(place, content);
  return place;
}

describe('a secret', () => {
  test.each([
    ['a'.repeat(64), 'consists of too few different characters'],
    ['01'.repeat(32), 'consists of too few different characters'],
    ['4f9a1c7e8b'.repeat(4), 'repeats itself'],
    ['4f9a1c7e8b4f9a1c7e8b4f9a1c7e8b-and-more', 'repeats itself'],
    ['please-ChangeMe-4f9a1c7e8b2d6035', 'contains a word of examples'],
    ['my-super-secret-cookie-key-no-one-knows', 'contains a word of examples'],
    ['abcdefghijklmnopqrstuvwxyz012345', 'is a sequence'],
    ['9876543210fedcba9876543210zyxwvut', 'is a sequence'],
  ])('%s %s', (secret, weakness) => {
    expect(weaknessOf(secret)).toBe(weakness);
  });

  test('that is random is taken', () => {
    for (let round = 0; round < 2_000; round += 1) {
      expect(weaknessOf(randomBytes(16).toString('hex'))).toBeUndefined();
      expect(weaknessOf(randomBytes(32).toString('base64'))).toBeUndefined();
    }
  });

  test('may be a sentence of words', () => {
    expect(weaknessOf('correct horse battery staple and a purple bicycle')).toBeUndefined();
  });
});

describe('a secret from a file', () => {
  const names = ['COOKIE_SECRET', 'OPERATOR_TOKEN'];

  test('takes the place of its variable, without the line break at its end', () => {
    const { variables, problems } = readSecretFiles({ PORT: '1', COOKIE_SECRET_FILE: file('value\n') }, names);
    expect(variables).toMatchObject({ PORT: '1', COOKIE_SECRET: 'value' });
    expect(problems).toEqual([]);
  });

  test('is read for the variables that may be one, and no other', () => {
    expect(readSecretFiles({ HOST_FILE: file('x') }, names).variables).not.toHaveProperty('HOST');
  });

  test('is no second one, and its file has to be there', () => {
    const both = {
      COOKIE_SECRET: 'hunter2',
      COOKIE_SECRET_FILE: file('hunter3'),
      OPERATOR_TOKEN_FILE: '/nowhere/token',
    };
    expect(readSecretFiles(both, names).problems).toEqual([
      { name: 'COOKIE_SECRET', message: 'and COOKIE_SECRET_FILE are both set; set one of them' },
      { name: 'OPERATOR_TOKEN_FILE', message: 'names a file that cannot be read (ENOENT)' },
    ]);
  });

  test('is not looked for where its variable is empty', () => {
    expect(readSecretFiles({ COOKIE_SECRET_FILE: '', COOKIE_SECRET: 'x' }, names).problems).toEqual([]);
  });
});

describe('in production', () => {
  const production = { NODE_ENV: 'production' };
  const good = randomBytes(32).toString('hex');

  test('a missing or weak secret is named, and never shown', () => {
    const problems = weakSecrets(production, {
      COOKIE_SECRET: [good, 'x'.repeat(32)],
      OPERATOR_TOKEN: [],
      OTHER: [good],
    });
    expect(problems).toEqual([
      {
        name: 'COOKIE_SECRET',
        message: 'consists of too few different characters; make one with: openssl rand -hex 32',
      },
      { name: 'OPERATOR_TOKEN', message: 'is required in production' },
    ]);
  });

  test('alone', () => {
    expect(weakSecrets({ NODE_ENV: 'development' }, { COOKIE_SECRET: ['x'] })).toEqual([]);
    expect(weakSecrets({}, { COOKIE_SECRET: [] })).toEqual([]);
  });
});
