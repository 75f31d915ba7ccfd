import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTokens, tokenFileIn } from './tokens.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-tokens-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = () => readFileSync(path.join(folder, 'tokens.txt'), 'utf8').split('\n').filter(Boolean);

test('each remote and the operator get a token that only its owner can read', () => {
  const { tokenOf, operatorToken } = openTokens(folder, ['mf-legal']);
  expect(lines()).toEqual([
    `operator * ${hash('sha256', operatorToken)}`,
    `mf-legal-team mf-legal ${hash('sha256', tokenOf('mf-legal'))}`,
  ]);
  expect(statSync(tokenFileIn(folder, 'mf-legal')).mode & 0o077).toBe(0);
});

test('existing tokens and lines of others stay', () => {
  const other = `ann * ${'0'.repeat(64)}`;
  writeFileSync(path.join(folder, 'tokens.txt'), other);
  const first = openTokens(folder, ['mf-legal']).tokenOf('mf-legal');
  expect(openTokens(folder, ['mf-legal', 'mf-help']).tokenOf('mf-legal')).toBe(first);
  expect(lines().map((line) => line.split(' ')[0])).toEqual(['ann', 'operator', 'mf-legal-team', 'mf-help-team']);
});
