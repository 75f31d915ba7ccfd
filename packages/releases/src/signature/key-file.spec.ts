import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createKeyFile, readKeyFile } from './key-file.ts';
import { signRelease } from './signature.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-keys-'));
  file = path.join(folder, 'keys/mf-legal.pem');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a new key file is readable by its owner only, and signs', async () => {
  createKeyFile(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  const signer = readKeyFile(file);
  expect(await signRelease('{}', 'mf-legal', signer)).toMatch(/\n\{\}$/);
});

test('an existing key file is never replaced', () => {
  createKeyFile(file);
  const before = readFileSync(file, 'utf8');
  expect(() => createKeyFile(file)).toThrow(/EEXIST/);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each([0o640, 0o604, 0o660])('a key file that others can read (%o) is rejected', (mode) => {
  createKeyFile(file);
  chmodSync(file, mode);
  expect(() => readKeyFile(file)).toThrow(/^Other users can read the private key in .*Run: chmod 600 .*mf-legal\.pem$/);
});

test('a key of openssl is read', async () => {
  writeFileSync(path.join(folder, 'key.pem'), execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519']), {
    mode: 0o600,
  });
  expect(await signRelease('{}', 'mf-legal', readKeyFile(path.join(folder, 'key.pem')))).toMatch(/\n\{\}$/);
});

test.each([
  ['text', 'hunter2'],
  ['a public key', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })],
  ['another kind of key', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ['a damaged key', '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n'],
])('a file with %s is rejected without quoting it', (_what, content) => {
  createKeyFile(file);
  writeFileSync(file, content);
  expect(() => readKeyFile(file)).toThrow(/^(?!.*hunter2).*mf-legal\.pem holds no private Ed25519 key in PEM\.$/);
});
