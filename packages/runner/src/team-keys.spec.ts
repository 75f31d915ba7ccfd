import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTeamKeys } from '@daybook/releases';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTeamKeys } from './team-keys.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('makes the missing key pairs, each once, and lists their public keys for the shell server', () => {
  const created: string[] = [];
  const open = (...names: readonly string[]) => openTeamKeys(folder, names, (_, remote) => created.push(remote));
  const { file, signerOf } = open('mf-legal');
  open('mf-legal', 'mf-help');
  expect(created).toEqual(['mf-legal', 'mf-help']);
  const keys = parseTeamKeys(readFileSync(file, 'utf8'));
  expect([...keys]).toEqual(['mf-legal', 'mf-help'].map((name) => [name, [signerOf(name).publicKey]]));
  expect(readdirSync(folder).toSorted()).toEqual(['keys', 'team-keys']);
  expect(statSync(path.join(folder, 'keys/mf-legal.pem')).mode & 0o077).toBe(0);
});

test('keeps what others wrote: a second key during a rotation, and a remote of another repository', () => {
  const file = path.join(folder, 'team-keys');
  const [second, foreign] = ['A'.repeat(43), `${'B'.repeat(42)}A`];
  writeFileSync(file, `mf-legal: ${second},mf-press:${foreign}`);
  const { signerOf } = openTeamKeys(folder, ['mf-legal']);
  const after = readFileSync(file, 'utf8');
  expect(Object.fromEntries(parseTeamKeys(after))).toEqual({
    'mf-legal': [second, signerOf('mf-legal').publicKey],
    'mf-press': [foreign],
  });
  openTeamKeys(folder, ['mf-legal']);
  expect(readFileSync(file, 'utf8')).toBe(after);
});
