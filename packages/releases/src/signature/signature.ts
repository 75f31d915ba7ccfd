import { createPublicKey } from 'node:crypto';
import { base64url, compactVerify, errors } from 'jose';
import * as z from 'zod';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { OriginFailure, previewFileName, type ReleaseOrigin, signedFileName } from '../origins/origin.ts';

/** Fully specified (RFC 9864): `EdDSA` would also mean Ed448. */
const algorithm = 'Ed25519';

/**
 * Explicit types (RFC 8725): a token that the same key signed for another purpose is no signature of a release, and a
 * preview's is not accepted as a release's.
 */
const types = { [signedFileName]: 'daybook-release+jwt', [previewFileName]: 'daybook-preview+jwt' } as const;
type SignedFile = keyof typeof types;

const day = 24 * 60 * 60_000;

/** In ms. Longer than a year: a legal page may not change for one, and a new server must still be able to take it. */
export const signatureValidity = 400 * day;

/** In ms: how long the link of a preview is valid. */
export const previewLifetime = 7 * day;

/** In ms: with less time left, teams should release again. */
export const signatureRenewal = 30 * day;

/** In ms: how far the clock of a team's machine may be ahead. */
const clockTolerance = 5 * 60_000;

/** An Ed25519 public key, in base64url: 32 bytes have 43 characters, and the last one has two unused bits. */
export const publicKeySchema = z
  .string()
  .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, 'must be the 43 base64url characters of an Ed25519 public key');

const headerSchema = (file: SignedFile) =>
  z.strictObject({ alg: z.literal(algorithm), typ: z.literal(types[file]), kid: publicKeySchema });

/** Seconds since the epoch, up to the year 9999. */
const dateSchema = z.int().min(0).max(253_402_300_799);

const claimsSchema = z.strictObject({ sub: z.string(), iat: dateSchema, exp: dateSchema, integrity: z.string() });
/** SHA-256 in base64url: 32 bytes have 43 characters, and the last one has two unused bits. */
const tokenHashSchema = z.string().regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/);

/** The end of the preview is the expiration date. */
const previewClaimsSchema = claimsSchema.extend({ token: tokenHashSchema });

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
async function signDescription(
  file: SignedFile,
  text: string,
  claims: Omit<z.infer<typeof claimsSchema>, 'integrity'>,
  signer: ReleaseSigner,
): Promise<string> {
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const header = { alg: algorithm, typ: types[file], kid: signer.publicKey };
  const input = `${encode(header)}.${encode({ ...claims, integrity: integrityOf(Buffer.from(text)) })}`;
  return `${input}.${base64url.encode(await signer.sign(input))}\n${text}`;
}

/**
 * Signs a release.
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
  const claims = { sub: remote, iat: seconds(now), exp: seconds(now + signatureValidity) };
  const signed = await signDescription(signedFileName, text, claims, signer);
  await verifyRelease(signed, remote, [signer.publicKey], now);
  return signed;
}

/**
 * Signs a release as a preview, which is shown only to visitors with its link.
 *
 * @param tokenHash the SHA-256 of the token in the link; never the token, since everybody can read an origin
 * @returns the content of `preview.jws`
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export async function signPreview(
  text: string,
  remote: string,
  tokenHash: string,
  signer: ReleaseSigner,
  now = Date.now(),
): Promise<string> {
  const claims = { sub: remote, iat: seconds(now), exp: seconds(now + previewLifetime), token: tokenHash };
  const signed = await signDescription(previewFileName, text, claims, signer);
  await verifyPreview(signed, remote, [signer.publicKey], now);
  return signed;
}

const rejection = (message: string) => new ReleaseRejection('signature', message);

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Returns a trusted key by the header of a signature, which only selects among the remote's own. */
function keyFor(file: SignedFile, header: unknown, remote: string, keys: readonly string[]) {
  const { kid } = headerSchema(file).parse(header);
  if (!keys.includes(kid))
    throw rejection(
      `it is signed with a key that is not one of ${remote}'s: ${kid}; sign it with one that TRUSTED_KEYS of the shell server names, or have its operator add this one`,
    );
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: kid }, format: 'jwk' });
}

const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** A kind of signed description. */
interface SignedKind<Claims extends z.infer<typeof claimsSchema>> {
  readonly file: SignedFile;
  readonly claims: z.ZodType<Claims>;
  /** Max time between the signature and its expiration, in ms. */
  readonly validity: number;
}

const releaseKind = { file: signedFileName, claims: claimsSchema, validity: signatureValidity } as const;
const previewKind = { file: previewFileName, claims: previewClaimsSchema, validity: previewLifetime } as const;

/** Returns header and claims of a token, verified with one of the keys; without keys, unverified. */
async function openToken(file: SignedFile, token: string, remote: string, keys: readonly string[] | undefined) {
  if (keys) {
    const selectKey = (header: unknown) => keyFor(file, header, remote, keys);
    const { payload, protectedHeader } = await compactVerify(token, selectKey, { algorithms: [algorithm] });
    return { header: protectedHeader, claims: parseJson(payload) };
  }
  const [header, claims] = token.split('.', 2).map((part) => parseJson(base64url.decode(part)));
  return { header: headerSchema(file).parse(header), claims };
}

/**
 * Verifies a signed description, before anything of the release is parsed.
 *
 * @param keys the public keys of this remote's team; without them, anybody may sign
 * @throws ReleaseRejection with the reason `signature`
 */
async function verifySigned<Claims extends z.infer<typeof claimsSchema>>(
  { file, claims: schema, validity }: SignedKind<Claims>,
  signed: string,
  remote: string,
  keys: readonly string[] | undefined,
  now: number,
) {
  const lineEnd = signed.indexOf('\n');
  const text = signed.slice(lineEnd + 1);
  const token = signed.slice(0, Math.max(lineEnd, 0));
  if (!tokenPattern.test(token)) throw rejection(`${file} does not begin with a signature`);
  let claims: Claims;
  let key: string;
  try {
    const opened = await openToken(file, token, remote, keys);
    claims = schema.parse(opened.claims);
    key = String(opened.header.kid);
  } catch (error) {
    if (error instanceof ReleaseRejection) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw rejection('its signature was changed, or made with another key than it states');
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw rejection(`its signature is not valid: ${reason}`);
  }
  const [signedAt, expiresAt] = [claims.iat * 1000, claims.exp * 1000];
  if (claims.sub !== remote) throw rejection(`its signature is for ${claims.sub}`);
  if (integrityOf(Buffer.from(text)) !== claims.integrity)
    throw rejection('its release.json was changed after it was signed');
  // A team's own command signs what it likes: a release must not stay valid for as long as its key is trusted.
  if (expiresAt - signedAt > validity)
    throw rejection(`its signature is valid for more than ${validity / day} days; sign it again with npm run release`);
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
  const verified = await verifySigned(releaseKind, signed, remote, keys, now);
  const { text, key, signedAt, expiresAt, claims } = verified;
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
  const verified = await verifySigned(previewKind, signed, remote, keys, now);
  const { text, signedAt, expiresAt, claims } = verified;
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
