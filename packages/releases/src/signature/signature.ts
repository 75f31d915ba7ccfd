import { createPublicKey } from 'node:crypto';
import { base64url, compactVerify, errors } from 'jose';
import * as z from 'zod';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { OriginFailure, previewFileName, type ReleaseOrigin, signedFileName } from '../origins/origin.ts';

/** Fully specified (RFC 9864): `EdDSA` would also mean Ed448. */
const algorithm = 'Ed25519';

const day = 24 * 60 * 60_000;

/** In ms. Longer than a year: a legal page may not change for one, and a new server must still be able to take it. */
export const signatureValidity = 400 * day;

/** In ms: how long the link of a preview is valid. */
export const previewLifetime = 7 * day;

/** In ms: with less time left, teams should release again. */
export const signatureRenewal = 30 * day;

/** In ms: how far the clock of a team's machine may be ahead. */
const clockTolerance = 5 * 60_000;

/** 43 characters, of which the last one has two unused bits. */
const base64urlOf32Bytes = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

/** An Ed25519 public key, in base64url. */
export const publicKeySchema = z
  .string()
  .regex(base64urlOf32Bytes, 'must be the 43 base64url characters of an Ed25519 public key');

/** Seconds since the epoch, up to the year 9999. */
const dateSchema = z.int().min(0).max(253_402_300_799);

const claimsSchema = z.strictObject({ sub: z.string(), iat: dateSchema, exp: dateSchema, integrity: z.string() });

/** Of a preview, which ends at the expiration date, with the SHA-256 of the token in its link. */
const previewClaimsSchema = claimsSchema.extend({ token: z.string().regex(base64urlOf32Bytes) });

/** A kind of signed description. */
interface SignedKind<Claims> {
  readonly file: typeof signedFileName | typeof previewFileName;
  /**
   * Explicit (RFC 8725): a token that the same key signed for another purpose is no signature of a release, and a
   * preview's is not accepted as a release's.
   */
  readonly type: string;
  readonly claims: z.ZodType<Claims>;
  /** Time between the signature and its expiration, and its limit; in ms. */
  readonly validity: number;
}

const releaseKind = {
  file: signedFileName,
  type: 'daybook-release+jwt',
  claims: claimsSchema,
  validity: signatureValidity,
} as const;
const previewKind = {
  file: previewFileName,
  type: 'daybook-preview+jwt',
  claims: previewClaimsSchema,
  validity: previewLifetime,
} as const;

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

/** What a valid signature of a preview states. */
export interface PreviewSignature extends Pick<ReleaseSignature, 'signedAt' | 'expiresAt'> {
  /** The SHA-256 of the token in the preview's link. */
  readonly tokenHash: string;
}

/** A team's private key, or a command that uses it. */
export interface ReleaseSigner {
  readonly publicKey: string;
  /** Returns the 64 bytes of the Ed25519 signature of a text. */
  sign(text: string): Uint8Array | Promise<Uint8Array>;
}

const seconds = (ms: number) => Math.floor(ms / 1000);

/**
 * Signs a description. The signature is a JWT with the integrity value of `release.json`, not with the text: services and
 * devices that hold keys sign at most 2 to 4 kB, because Ed25519 needs the whole message.
 */
async function signDescription<Claims extends z.infer<typeof claimsSchema>>(
  kind: SignedKind<Claims>,
  text: string,
  remote: string,
  ownClaims: Omit<Claims, keyof z.infer<typeof claimsSchema>>,
  signer: ReleaseSigner,
  now: number,
): Promise<string> {
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const header = { alg: algorithm, typ: kind.type, kid: signer.publicKey };
  const dates = { iat: seconds(now), exp: seconds(now + kind.validity) };
  const claims = { sub: remote, ...dates, ...ownClaims, integrity: integrityOf(Buffer.from(text)) };
  const input = `${encode(header)}.${encode(claims)}`;
  const signed = `${input}.${base64url.encode(await signer.sign(input))}\n${text}`;
  await verifySigned(kind, signed, remote, [signer.publicKey], now);
  return signed;
}

/**
 * Signs a release.
 *
 * @param text the release's `release.json`
 * @param now in ms since the epoch
 * @returns the content of `release.jws`: a line with the signature, then the text
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export const signRelease = (text: string, remote: string, signer: ReleaseSigner, now = Date.now()): Promise<string> =>
  signDescription(releaseKind, text, remote, {}, signer, now);

/**
 * Signs a release as a preview, which is shown only to visitors with its link.
 *
 * @param tokenHash the SHA-256 of the token in the link; never the token, since everybody can read an origin
 * @returns the content of `preview.jws`
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export const signPreview = (
  text: string,
  remote: string,
  tokenHash: string,
  signer: ReleaseSigner,
  now = Date.now(),
): Promise<string> => signDescription(previewKind, text, remote, { token: tokenHash }, signer, now);

const rejection = (message: string) => new ReleaseRejection('signature', message);

/** Formats the day of a moment, in ms since the epoch: `2026-11-21`. */
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the key that the header of a signature names. */
const keyIn = (header: unknown, type: string): string =>
  z.strictObject({ alg: z.literal(algorithm), typ: z.literal(type), kid: publicKeySchema }).parse(header).kid;

/** Returns a trusted key by the header of a signature, which only selects among the remote's own. */
function keyFor(header: unknown, type: string, remote: string, keys: readonly string[]) {
  const key = keyIn(header, type);
  if (!keys.includes(key))
    throw rejection(
      `it is signed with a key that is not one of ${remote}'s: ${key}; sign it with one that TRUSTED_KEYS of the shell server names, or have its operator add this one`,
    );
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
}

const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/**
 * Returns key and claims of a token.
 *
 * @param keys one of them must have signed it; without keys, anybody may
 * @throws ReleaseRejection with the reason `signature`
 */
async function openToken<Claims>(
  { type, claims: schema }: Pick<SignedKind<Claims>, 'type' | 'claims'>,
  token: string,
  remote: string,
  keys: readonly string[] | undefined,
) {
  try {
    if (keys) {
      const selectKey = (header: unknown) => keyFor(header, type, remote, keys);
      const { payload, protectedHeader } = await compactVerify(token, selectKey, { algorithms: [algorithm] });
      return { key: String(protectedHeader.kid), claims: schema.parse(parseJson(payload)) };
    }
    const [header, claims] = token.split('.', 2).map((part) => parseJson(base64url.decode(part)));
    return { key: keyIn(header, type), claims: schema.parse(claims) };
  } catch (error) {
    if (error instanceof ReleaseRejection) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw rejection('its signature was changed, or made with another key than it states');
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw rejection(`its signature is not valid: ${reason}`);
  }
}

/**
 * Verifies a signed description, before anything of the release is parsed.
 *
 * @param keys the public keys of this remote's team; without them, anybody may sign
 * @throws ReleaseRejection with the reason `signature`
 */
async function verifySigned<Claims extends z.infer<typeof claimsSchema>>(
  kind: SignedKind<Claims>,
  signed: string,
  remote: string,
  keys: readonly string[] | undefined,
  now: number,
) {
  const lineEnd = signed.indexOf('\n');
  const text = signed.slice(lineEnd + 1);
  const token = signed.slice(0, Math.max(lineEnd, 0));
  if (!tokenPattern.test(token)) throw rejection(`${kind.file} does not begin with a signature`);
  const { key, claims } = await openToken(kind, token, remote, keys);
  const [signedAt, expiresAt] = [claims.iat * 1000, claims.exp * 1000];
  if (claims.sub !== remote) throw rejection(`its signature is for ${claims.sub}`);
  if (integrityOf(Buffer.from(text)) !== claims.integrity)
    throw rejection('its release.json was changed after it was signed');
  // A team's own command signs what it likes: a release must not stay valid for as long as its key is trusted.
  if (expiresAt - signedAt > kind.validity)
    throw rejection(
      `its signature is valid for more than ${kind.validity / day} days; sign it again with npm run release`,
    );
  if (signedAt > now + clockTolerance)
    throw rejection(
      `its signature is of ${new Date(signedAt).toISOString()}, which is in the future; check the clocks`,
    );
  return { text, key, claims, signedAt, expiresAt };
}

/**
 * Verifies the content of `release.jws`.
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
  const { text, key, signedAt, expiresAt, claims } = await verifySigned(releaseKind, signed, remote, keys, now);
  if (expiresAt <= now) throw rejection(`its signature expired on ${dateOf(expiresAt)}; release it again`);
  return { text, signature: { key, signedAt, expiresAt, integrity: claims.integrity } };
}

/**
 * Verifies the content of `preview.jws`, whose preview may be over: the file may stay at its origin.
 *
 * @param keys the public keys of this remote's team; without them, anybody may sign, as for releases
 * @throws ReleaseRejection with the reason `signature`
 */
export async function verifyPreview(
  signed: string,
  remote: string,
  keys: readonly string[] | undefined,
  now = Date.now(),
): Promise<{ readonly text: string; readonly preview: PreviewSignature }> {
  const { text, signedAt, expiresAt, claims } = await verifySigned(previewKind, signed, remote, keys, now);
  return { text, preview: { signedAt, expiresAt, tokenHash: claims.token } };
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

/**
 * Reads and verifies the preview that an origin offers.
 *
 * @returns `undefined` if it offers none
 */
export async function readPreview(
  origin: ReleaseOrigin,
  remote: string,
  keys: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<typeof verifyPreview>> | undefined> {
  let signed: string;
  try {
    signed = await origin.describe(signal, previewFileName);
  } catch (error) {
    if (error instanceof OriginFailure && error.reason === 'missing') return undefined;
    throw error;
  }
  return verifyPreview(signed, remote, keys);
}
