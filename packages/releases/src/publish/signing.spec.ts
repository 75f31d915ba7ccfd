import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createKeyFile, readKeyFile } from '../signature/key-file.ts';
import { signRelease } from '../signature/signature.ts';
import { openSigner, resolveSigning } from './signing.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-signing-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ignore = () => undefined;
const { privateKey } = generateKeyPairSync('ed25519');
const { x: publicKey = '' } = privateKey.export({ format: 'jwk' });

describe('the choice of the key', () => {
  const command = { RELEASE_SIGN_COMMAND: 'sign', RELEASE_PUBLIC_KEY: publicKey };

  test('is the team’s own file by default', () => {
    expect(resolveSigning({}, { RELEASE_KEY_FILE: '', RELEASE_SIGN_COMMAND: '' }, folder)).toEqual({});
  });

  test('is that of the environment, or that of an option, which replaces both variables', () => {
    expect(resolveSigning({}, { RELEASE_KEY_FILE: 'team.pem' }, '/keys')).toEqual({ keyFile: '/keys/team.pem' });
    expect(resolveSigning({}, command, folder)).toEqual({
      signWith: 'sign',
      publicKey,
      folder,
      environment: command,
    });
    expect(resolveSigning({ keyFile: '/other.pem' }, command, folder)).toEqual({ keyFile: '/other.pem' });
    const environment = { RELEASE_KEY_FILE: 'a' };
    expect(resolveSigning({ signWith: 'other', publicKey }, environment, folder)).toEqual({
      signWith: 'other',
      publicKey,
      folder,
      environment,
    });
  });

  test('is rejected if it is ambiguous, or if the public key of a command is missing or malformed', () => {
    expect(() => resolveSigning({}, { ...command, RELEASE_KEY_FILE: 'a' }, folder)).toThrow(/not with both/);
    for (const key of ['', 'hunter2', `${publicKey}=`])
      expect(() => resolveSigning({ signWith: 'sign', publicKey: key }, {}, folder)).toThrow(/needs its public key/);
  });
});

describe('a key file', () => {
  const keyFileIn = () => path.join(folder, 'keys/mf-legal.pem');
  const pemOf = (key: KeyObject, type: 'pkcs8' | 'spki') => key.export({ type, format: 'pem' });

  test('is made where it is asked for, once, and reported; only its owner can read it', async () => {
    const keyFile = keyFileIn();
    const made: string[] = [];
    const open = () => openSigner({}, keyFile, (file) => made.push(file)).publicKey;
    expect(open()).toBe(open());
    expect(openSigner({ keyFile }, 'own.pem', (file) => made.push(file), true).publicKey).toBe(open());
    expect(made).toEqual([keyFile]);
    expect([statSync(keyFile).mode & 0o777, statSync(path.dirname(keyFile)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await signRelease('{}', 'mf-legal', readKeyFile(keyFile))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
    expect(() => createKeyFile(keyFile)).toThrow(/EEXIST/);
    expect(readKeyFile(keyFile).publicKey).toBe(open());
  });

  test('is not made for a release that names it: a typo would be a key that no site trusts', () => {
    const keyFile = path.join(folder, 'typo.pem');
    expect(() => openSigner({ keyFile }, path.join(folder, 'own.pem'), ignore)).toThrow(/ENOENT.*typo\.pem/);
    expect(existsSync(keyFile)).toBe(false);
  });

  test.each([0o640, 0o604, 0o660])('that others can read (%o) is rejected', (mode) => {
    createKeyFile(keyFileIn());
    chmodSync(keyFileIn(), mode);
    expect(() => readKeyFile(keyFileIn())).toThrow(
      /^Other users can read the private key in .*Run: chmod 600 .*mf-legal\.pem$/,
    );
  });

  test('of openssl is read', async () => {
    const key = path.join(folder, 'key.pem');
    writeFileSync(key, execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519']), { mode: 0o600 });
    expect(await signRelease('{}', 'mf-legal', readKeyFile(key))).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  });

  test.each([
    ['text', 'hunter2'],
    ['a public key', pemOf(generateKeyPairSync('ed25519').publicKey, 'spki')],
    ['another kind of key', pemOf(generateKeyPairSync('x25519').privateKey, 'pkcs8')],
    ['a damaged key', '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n'],
  ])('with %s is rejected without quoting it', (_what, content) => {
    createKeyFile(keyFileIn());
    writeFileSync(keyFileIn(), content);
    expect(() => readKeyFile(keyFileIn())).toThrow(
      /^(?!.*hunter2).*mf-legal\.pem holds no private Ed25519 key in PEM\.$/,
    );
  });
});

describe('a command that signs', () => {
  let pem: string;
  beforeEach(() => {
    pem = path.join(folder, 'team.pem');
    writeFileSync(pem, privateKey.export({ format: 'pem', type: 'pkcs8' }));
  });

  /** A command that signs with a key in a PEM file. */
  function commandWith(script: string): string {
    const program = `const { sign } = require('node:crypto'); const { readFileSync } = require('node:fs');
      const signature = sign(null, readFileSync(0), readFileSync('${pem}'));
      ${script}`;
    const file = path.join(folder, 'sign.cjs');
    writeFileSync(file, program);
    return `"${process.execPath}" "${file}"`;
  }
  const sign = (signWith: string, key = publicKey) =>
    signRelease('{}', 'mf-legal', openSigner({ signWith, publicKey: key }, 'own.pem', ignore));

  test.each(['base64', 'base64url'])('signs less than 500 bytes from /dev/stdin, and prints %s', async (encoding) => {
    const file = path.join(folder, 'input');
    const signing = commandWith(`console.log(signature.toString('${encoding}'))`);
    expect(await sign(`cat /dev/stdin | tee ${file} | ${signing}`)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
    expect(readFileSync(file).length).toBeLessThan(500);
  });

  test('is openssl', async () => {
    const signed = await sign(`openssl pkeyutl -sign -rawin -inkey "${pem}" -in /dev/stdin | base64`);
    expect(signed).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
  });

  test('gets the environment of the person, which the client of a KMS needs', async () => {
    const signWith = commandWith("if (process.env.KMS_PROFILE === 'team') console.log(signature.toString('base64'))");
    const environment = { PATH: process.env.PATH, KMS_PROFILE: 'team' };
    const signer = openSigner({ signWith, publicKey, environment }, 'own.pem', ignore);
    expect(await signRelease('{}', 'mf-legal', signer)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]{86}$/);
    await expect(sign(signWith)).rejects.toThrow(/printed 0 bytes/);
  });

  test('is rejected if it fails, prints no signature, or uses another key', async () => {
    await expect(sign('exit 3')).rejects.toThrow('The signing command failed (3): exit 3');
    await expect(sign('echo Access denied')).rejects.toThrow(/printed \d+ bytes; an Ed25519 signature has 64/);
    const command = commandWith("console.log(signature.toString('base64'))");
    const { x: other = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    await expect(sign(command, other)).rejects.toThrow(/made with another key than it states/);
  });
});
