import { createPublicKey } from 'node:crypto';
import { base64url, compactVerify, errors } from 'jose';
import * as z from 'zod';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { OriginFailure, type ReleaseOrigin, signedFileName } from '../origins/origin.ts';

/** Fully specified (RFC 9864): `EdDSA` would also mean Ed448. */
const algorithm = 'Ed25519';

/** Explicit type (RFC 8725): a token that the same key signed for another purpose is no signature of a release. */
const type = 'daybook-release+jwt';

const day = 24 * 60 * 60_000;

/** In ms. Longer than a year: a legal page may not change for one, and a new server must still be able to take it. */
export const signatureValidity = 400 * day;

/** In ms: with less time left, teams should release again. */
export const signatureRenewal = 30 * day;

/** In ms: how far the clock of a team's machine may be ahead. */
const clockTolerance = 5 * 60_000;

/** An Ed25519 public key, in base64url: 32 bytes have 43 characters, and the last one has two unused bits. */
export const publicKeySchema = z
  .string()
  .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'must be the 43 base64url characters of an Ed25519 public key');

const headerSchema = z.strictObject({ alg: z.literal(algorithm), typ: z.literal(type), kid: publicKeySchema });

/** Seconds since the epoch, up to the year 9999. */
const dateSchema = z.int().min(0).max(253_402_300_799);

const claimsSchema = z.strictObject({ sub: z.string(), iat: dateSchema, exp: dateSchema, integrity: z.string() });

/** Three parts of base64url; the last character of the 64 bytes of the signature has four unused bits. */
const tokenPattern = /^[\w-]{1,1000}\.[\w-]{1,1000}\.[\w-]{85}[AQgw]$/;

/** What a valid signature states. Times in ms since the epoch. */
export interface ReleaseSignature {
  /** The public key, as in `TRUSTED_KEYS`. */
  readonly key: string;
  readonly signedAt: number;
  readonly expiresAt: number;
  /** The integrity value of the signed `release.json`. */
  readonly integrity: string;
}

/** A team's private key, or a command that uses it. */
export interface ReleaseSigner {
  readonly publicKey: string;
  /** Returns the 64 bytes of the Ed25519 signature of a text. */
  sign(text: string): Uint8Array | Promise<Uint8Array>;
}

/**
 * Signs a release. The signature is a JWT with the integrity value of `release.json`, not with the text: services and
 * devices that hold keys sign at most 2 to 4 kB, because Ed25519 needs the whole message.
 *
 * @param text the release's `release.json`
 * @param now in ms since the epoch
 * @returns the content of `release.jws`: a line with the signature, then the text
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export async function signRelease(
  text: string,
  remote: string,
  signer: ReleaseSigner,
  now = Date.now(),
): Promise<string> {
  const seconds = (ms: number) => Math.floor(ms / 1000);
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const header: z.infer<typeof headerSchema> = { alg: algorithm, typ: type, kid: signer.publicKey };
  const integrity = integrityOf(Buffer.from(text));
  const [iat, exp] = [seconds(now), seconds(now + signatureValidity)];
  const claims: z.infer<typeof claimsSchema> = { sub: remote, iat, exp, integrity };
  const input = `${encode(header)}.${encode(claims)}`;
  const signed = `${input}.${base64url.encode(await signer.sign(input))}\n${text}`;
  await verifyRelease(signed, remote, [signer.publicKey], now);
  return signed;
}

const rejection = (message: string) => new ReleaseRejection('signature', message);

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns a trusted key by the header of a signature, which only selects among the remote's own. */
function keyFor(header: unknown, remote: string, keys: readonly string[]) {
  const { kid } = headerSchema.parse(header);
  if (!keys.includes(kid))
    throw rejection(
      `it is signed with a key that is not one of ${remote}'s: ${kid}; sign it with one that TRUSTED_KEYS of the shell server names, or have its operator add this one`,
    );
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: kid }, format: 'jwk' });
}

async function verifyToken(token: string, remote: string, keys: readonly string[]) {
  if (!tokenPattern.test(token)) throw rejection(`${signedFileName} does not begin with a signature`);
  try {
    const selectKey = (header: unknown) => keyFor(header, remote, keys);
    const { payload, protectedHeader } = await compactVerify(token, selectKey, { algorithms: [algorithm] });
    const claims = claimsSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
    return { ...claims, key: String(protectedHeader.kid) };
  } catch (error) {
    if (error instanceof ReleaseRejection) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw rejection('its signature was changed, or made with another key than it states');
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw rejection(`its signature is not valid: ${reason}`);
  }
}

/**
 * Verifies the content of `release.jws`, before anything of the release is parsed.
 *
 * @param keys the public keys of this remote's team
 * @param now in ms since the epoch
 * @returns the release's `release.json`, exactly as signed
 * @throws ReleaseRejection with the reason `signature`
 */
export async function verifyRelease(
  signed: string,
  remote: string,
  keys: readonly string[],
  now = Date.now(),
): Promise<{ readonly text: string; readonly signature: ReleaseSignature }> {
  const lineEnd = signed.indexOf('\n');
  const text = signed.slice(lineEnd + 1);
  const { key, sub, iat, exp, integrity } = await verifyToken(signed.slice(0, Math.max(lineEnd, 0)), remote, keys);
  const signature = { key, signedAt: iat * 1000, expiresAt: exp * 1000, integrity };
  if (sub !== remote) throw rejection(`its signature is for ${sub}`);
  if (integrityOf(Buffer.from(text)) !== integrity) throw rejection('its release.json was changed after it was signed');
  if (signature.expiresAt <= now)
    throw rejection(`its signature expired on ${dateOf(signature.expiresAt)}; release it again`);
  // A team's own command signs what it likes: a release must not stay valid for as long as its key is trusted.
  if (signature.expiresAt - signature.signedAt > signatureValidity)
    throw rejection(
      `its signature is valid for more than ${signatureValidity / day} days; sign it again with npm run release`,
    );
  if (signature.signedAt > now + clockTolerance)
    throw rejection(
      `its signature is of ${new Date(signature.signedAt).toISOString()}, which is in the future; check the clocks`,
    );
  return { text, signature };
}

/**
 * Reads and verifies the signed description of an origin's release.
 *
 * @throws OriginFailure if it can't be read, ReleaseRejection if it is not signed or not valid
 */
export async function readSigned(
  origin: ReleaseOrigin,
  remote: string,
  keys: readonly string[],
  signal: AbortSignal,
): ReturnType<typeof verifyRelease> {
  try {
    return await verifyRelease(await origin.describe(signal, signedFileName), remote, keys);
  } catch (error) {
    if (!(error instanceof OriginFailure) || error.reason !== 'missing') throw error;
    const unsigned = await origin.describe(signal).catch(() => undefined);
    if (unsigned === undefined) throw error;
    throw rejection('it is not signed; npm run release signs it and writes release.jws');
  }
}
