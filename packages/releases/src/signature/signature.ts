import { createPublicKey, type KeyObject } from 'node:crypto';
import { base64url, compactVerify, decodeProtectedHeader, errors } from 'jose';
import * as z from 'zod';
import { integrityOf } from '../manifest/manifest.ts';
import { ReleaseRejection } from '../manifest/rejection.ts';

/** Fully specified (RFC 9864): `EdDSA` would also mean Ed448. */
const algorithm = 'Ed25519';

/** An Ed25519 public key, in base64url: 43 characters, of which the last one has two unused bits. */
export const publicKeySchema = z
  .string()
  .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'must be the 43 base64url characters of an Ed25519 public key');

/** Three parts of base64url; the last character of the 64 bytes of the signature has four unused bits. */
const signaturePattern = /^[\w-]{1,1000}\.[\w-]{1,1000}\.[\w-]{85}[AQgw]$/;

/**
 * What a team's key signs. The type is explicit (RFC 8725): a token that the same key signed for another purpose is no
 * signature of a release or a request.
 */
export type SignedType = 'daybook-release+jwt' | 'daybook-request+jwt';

/** A team's private key, or a command that uses it. */
export interface ReleaseSigner {
  readonly publicKey: string;
  /** Returns the 64 bytes of the Ed25519 signature of a text. */
  sign(text: string): Uint8Array | Promise<Uint8Array>;
}

/** Thrown for a token that is not a valid signature, with the reason. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}

/** Returns whether a text has the form of a signature. */
export const isSignature = (token: string): boolean => signaturePattern.test(token);

/** Returns the key that a token states, or an empty text; nothing is verified. */
export function keyNamedIn(token: string): string {
  try {
    return String(decodeProtectedHeader(token).kid);
  } catch {
    return '';
  }
}

/**
 * Signs claims as a JWT. They contain hashes, not texts: services and devices that hold keys sign at most 2 to 4 kB, because
 * Ed25519 needs the whole message.
 */
export async function signClaims(type: SignedType, claims: object, signer: ReleaseSigner): Promise<string> {
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const input = `${encode({ alg: algorithm, typ: type, kid: signer.publicKey })}.${encode(claims)}`;
  return `${input}.${base64url.encode(await signer.sign(input))}`;
}

/**
 * Verifies a JWT.
 *
 * @param keys the public keys of a remote's team; the header only selects among them
 * @returns the key that signed it, and its claims
 * @throws SignatureError with the reason, in a clause
 */
export async function verifyClaims<Claims>(
  type: SignedType,
  jwt: string,
  keys: readonly string[],
  schema: z.ZodType<Claims>,
): Promise<{ readonly key: string; readonly claims: Claims }> {
  if (!isSignature(jwt)) throw new SignatureError('it does not have the form of one');
  try {
    const select = (header: unknown) => keyIn(header, type, keys);
    const { payload, protectedHeader } = await compactVerify(jwt, select, { algorithms: [algorithm] });
    const claims = schema.parse(JSON.parse(new TextDecoder().decode(payload)));
    return { key: String(protectedHeader.kid), claims };
  } catch (error) {
    if (error instanceof SignatureError) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw new SignatureError('it was changed, or made with another key than it states');
    throw new SignatureError(error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message);
  }
}

function keyIn(header: unknown, type: SignedType, keys: readonly string[]): KeyObject {
  const schema = z.strictObject({ alg: z.literal(algorithm), typ: z.literal(type), kid: publicKeySchema });
  const { kid } = schema.parse(header);
  if (!keys.includes(kid))
    throw new SignatureError(`it is made with ${kid}, which is not among the keys of the remote's team in TEAM_KEYS`);
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: kid }, format: 'jwk' });
}

const releaseType = 'daybook-release+jwt';

/** No dates: a signature alone changes nothing. Requests have dates, and publishing again what was active once has no effect. */
const releaseClaimsSchema = z.strictObject({ sub: z.string(), integrity: z.string() });

/**
 * Signs a release of a remote.
 *
 * @param manifest its `release.json`, which has the hashes of all files
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export async function signRelease(manifest: string, remote: string, signer: ReleaseSigner): Promise<string> {
  const claims = { sub: remote, integrity: integrityOf(Buffer.from(manifest)) };
  const signature = await signClaims(releaseType, claims, signer);
  await verifyRelease(manifest, signature, remote, [signer.publicKey]);
  return signature;
}

/**
 * Verifies the signature of a release, before anything of it is parsed.
 *
 * @param keys the public keys of this remote's team
 * @throws ReleaseRejection with the reason `signature`
 */
export async function verifyRelease(
  manifest: string,
  signature: string,
  remote: string,
  keys: readonly string[],
): Promise<void> {
  const reject = (message: string) => new ReleaseRejection('signature', message);
  const { claims } = await verifyClaims(releaseType, signature, keys, releaseClaimsSchema).catch((error: Error) => {
    throw error instanceof SignatureError ? reject(`its signature is not valid: ${error.message}`) : error;
  });
  if (claims.sub !== remote) throw reject(`its signature is for ${claims.sub}`);
  if (claims.integrity !== integrityOf(Buffer.from(manifest)))
    throw reject('its release.json was changed after it was signed');
}
