import { generateKeyPairSync, sign } from 'node:crypto';
import type { ReleaseSigner } from '../signature/signature.ts';

/** Returns a new key pair of a test's team. */
export function newSigner(): ReleaseSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}
