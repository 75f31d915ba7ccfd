import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { signatureValidity, verifyRelease } from '@daybook/releases';
import { openSigner } from '@daybook/releases/publish';
import { root } from '@daybook/testing/workspaces';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseEnvironment } from '../../shell/server/environment.ts';

// What containers do with the keys, in a shell on this machine, with its openssl.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reads a private key; makes it if it is missing. */
const readKeyFile = (file: string) => openSigner({}, file, () => undefined);

const text = '{\n  "name": "mf-legal",\n  "author": "Zoë"\n}\n';

test('the container of a remote signs its release like npm run release, if it has a key', async () => {
  const [keys, signed] = [path.join(folder, 'keys'), path.join(folder, 'release.jws')];
  const key = path.join(keys, 'key.pem');
  writeFileSync(path.join(folder, 'release.json'), text);
  const serve = async (whenWaiting: () => void) => {
    const child = spawn('sh', [path.join(root, 'deploy/nginx/serve-release.sh'), 'echo', 'nginx', 'runs'], {
      env: {
        PATH: process.env.PATH,
        REMOTE: 'mf-legal',
        RELEASE_KEY: key,
        RELEASE_FOLDER: folder,
        SIGNED_RELEASE: signed,
      },
    });
    child.stderr.once('data', whenWaiting);
    const [output, errors] = await Promise.all([textOf(child.stdout), textOf(child.stderr), once(child, 'close')]);
    return { output, errors };
  };
  expect(await serve(() => undefined)).toEqual({ output: 'nginx runs\n', errors: '' });
  expect(() => readFileSync(signed)).toThrow('ENOENT');
  // In the compose stack, whose key may be made while the container starts.
  mkdirSync(keys);
  expect(await serve(() => readKeyFile(key))).toEqual({
    output: 'nginx runs\n',
    errors: `Waiting for ${key}, which the service release-keys makes.\n`,
  });
  const { publicKey } = readKeyFile(key);
  const verified = await verifyRelease(readFileSync(signed, 'utf8'), 'mf-legal', [publicKey]);
  expect(verified).toEqual({ text, signature: expect.objectContaining({ key: publicKey }) });
  expect(verified.signature.expiresAt - verified.signature.signedAt).toBe(signatureValidity);
});

/** Runs prepare-release-keys.sh, with folders of this test as the container's. */
function prepareKeys(): string {
  const script = readFileSync(path.join(root, 'deploy/secrets/prepare-release-keys.sh'), 'utf8')
    .replaceAll('/run/secrets', `${folder}/run`)
    .replaceAll('/given', `${folder}/given`);
  return execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH }, encoding: 'utf8' });
}
const trustedKeys = () =>
  parseEnvironment({
    BACKEND_URL: 'http://127.0.0.1:3000',
    REMOTES: 'mf-legal=http://mf-legal:8080,mf-privacy=http://mf-privacy:8080',
    TRUSTED_KEYS_FILE: path.join(folder, 'run/trusted-keys/trusted-keys'),
  }).TRUSTED_KEYS;
const keyOf = (remote: string) => {
  const file = path.join(folder, 'own.pem');
  writeFileSync(file, readFileSync(path.join(folder, `run/release-keys/${remote}/key.pem`)), { mode: 0o600 });
  return readKeyFile(file).publicKey;
};

test('the stack makes a key pair for each remote once, and says so', () => {
  for (const each of ['run/trusted-keys', 'run/release-keys/mf-legal', 'run/release-keys/mf-privacy', 'given'])
    mkdirSync(path.join(folder, each), { recursive: true });
  expect(prepareKeys()).toContain('Made a key pair that signs the releases of mf-legal.\n');
  const own = { 'mf-legal': [keyOf('mf-legal')], 'mf-privacy': [keyOf('mf-privacy')] };
  expect(trustedKeys()).toEqual(new Map(Object.entries(own)));
  expect(prepareKeys()).not.toContain('Made');
  expect(trustedKeys()).toEqual(new Map(Object.entries(own)));

  // An operator's: the key of a remote that is signed elsewhere, and the private key of another.
  const elsewhere = `${'a'.repeat(42)}A`;
  writeFileSync(path.join(folder, 'given/trusted-keys'), `\nmf-legal: ${elsewhere}\r\n`);
  const given = path.join(folder, 'given/release-key-mf-privacy');
  readKeyFile(given);
  prepareKeys();
  const changed = { 'mf-legal': [elsewhere], 'mf-privacy': [readKeyFile(given).publicKey] };
  expect(trustedKeys()).toEqual(new Map(Object.entries(changed)));
  expect(keyOf('mf-privacy')).toBe(changed['mf-privacy'][0]);
});
