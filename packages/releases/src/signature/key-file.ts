import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ReleaseSigner } from './signature.ts';

/** Permissions of the group and of others. */
const ofOthers = 0o077;

/** Makes a key pair and writes it to a new file that only its owner can read, in PEM like `openssl genpkey`. */
export function createKeyFile(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
}

/** Returns the signer of a private key in PEM; `undefined` if it is no Ed25519 key. */
export function signerOf(pem: string): ReleaseSigner | undefined {
  const privateKey = parseKey(pem);
  if (!privateKey) return undefined;
  const { x: publicKey = '' } = privateKey.export({ format: 'jwk' });
  return { publicKey, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

function parseKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    // The message of the error could quote the key.
    return undefined;
  }
}

/**
 * Reads a private key.
 *
 * @throws Error naming the file if it holds no Ed25519 key or other users can read it
 */
export function readKeyFile(file: string): ReleaseSigner {
  const signer = signerOf(readFileSync(file, 'utf8'));
  if (statSync(file).mode & ofOthers)
    throw new Error(`Other users can read the private key in ${file}. Run: chmod 600 ${file}`);
  if (!signer) throw new Error(`${file} holds no private Ed25519 key in PEM.`);
  return signer;
}
