import { generateKeyPairSync, sign } from 'node:crypto';
import { base64url } from 'jose';
import type { ReleaseSigner } from '../signature/signature.ts';

/** Returns a new key pair of a test's team. */
export function newSigner(): ReleaseSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = privateKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

/** Returns a signed description whose token has other parts, signed by `signs`. */
export async function forge(
  signed: string,
  signs: ReleaseSigner['sign'],
  header: object,
  claims: object = {},
): Promise<string> {
  const lineEnd = signed.indexOf('\n');
  const [head = '', body = ''] = signed.slice(0, lineEnd).split('.');
  const changed = (part: string, changes: object) =>
    base64url.encode(JSON.stringify({ ...JSON.parse(String(Buffer.from(part, 'base64url'))), ...changes }));
  const input = `${changed(head, header)}.${changed(body, claims)}`;
  return `${input}.${base64url.encode(await signs(input))}${signed.slice(lineEnd)}`;
}
