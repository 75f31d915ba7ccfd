import { createPublicKey, hash, randomBytes } from 'node:crypto';
import { base64url, compactVerify, errors } from 'jose';
import * as z from 'zod';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { previewFileName, signedFileName } from '../origins/origin.ts';

/** Fully specified (RFC 9864): `EdDSA` would also mean Ed448. */
export const algorithm = 'Ed25519';

const day = 24 * 60 * 60_000;

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
export const dateSchema = z.int().min(0).max(253_402_300_799);

const claimsSchema = z.strictObject({ sub: z.string(), iat: dateSchema, exp: dateSchema, integrity: z.string() });

/** The kinds of signed descriptions. */
const kinds = {
  release: {
    file: signedFileName,
    /**
     * Explicit (RFC 8725): a token that the same key signed for another purpose is no signature of a release, and a
     * preview's is not accepted as a release's.
     */
    type: 'daybook-release+jwt',
    claims: claimsSchema,
    /**
     * Max time between the signature and its expiration, in ms. Longer than a year: a legal page may not change for one,
     * and a new server must still be able to take it.
     */
    validity: 400 * day,
  },
  preview: {
    file: previewFileName,
    type: 'daybook-preview+jwt',
    /** The token is the SHA-256 of the one in the preview's link. */
    claims: claimsSchema.extend({ token: z.string().regex(base64urlOf32Bytes) }),
    /** The preview ends at the expiration. */
    validity: 7 * day,
  },
} as const;
type Kind = keyof typeof kinds;

/** Three parts of base64url; the last character of the 64 bytes of the signature has four unused bits. */
export const signaturePattern = /^[\w-]{1,1000}\.[\w-]{1,1000}\.[\w-]{85}[AQgw]$/;

/** What a valid signature states. Times in ms since the epoch. */
export interface ReleaseSignature {
  /** The public key, as in `TEAM_KEYS`. */
  readonly key: string;
  readonly signedAt: number;
  readonly expiresAt: number;
  /** The integrity value of the signed `release.json`. */
  readonly integrity: string;
}

/** The newest signature of a remote that was accepted, with the version of its release. */
export interface NewestSignature extends ReleaseSignature {
  readonly version: string;
}

/** A team's private key, or a command that uses it. */
export interface ReleaseSigner {
  readonly publicKey: string;
  /** Returns the 64 bytes of the Ed25519 signature of a text. */
  sign(text: string): Uint8Array | Promise<Uint8Array>;
}

/** The token in the link of a preview: 128 random bits in base64url; the last character has four unused bits. */
export const previewTokenPattern = /^[\w-]{21}[AQgw]$/;

/** Returns a new token, which nobody can guess. */
export const newPreviewToken = (): string => randomBytes(16).toString('base64url');

/** Returns what origin, registry and log have of a token: its SHA-256, in base64url. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'base64url');

/**
 * Signs a description. The signature is a JWT with the integrity value of `release.json`, not with the text: services and
 * devices that hold keys sign at most 2 to 4 kB, because Ed25519 needs the whole message.
 */
async function signDescription(
  kind: Kind,
  text: string,
  remote: string,
  ownClaims: { readonly token?: string },
  signer: ReleaseSigner,
  now: number,
): Promise<string> {
  const { type, validity } = kinds[kind];
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const header = { alg: algorithm, typ: type, kid: signer.publicKey };
  const [iat, exp] = [now, now + validity].map((ms) => Math.floor(ms / 1000));
  const claims = { sub: remote, iat, exp, ...ownClaims, integrity: integrityOf(Buffer.from(text)) };
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
  signDescription('release', text, remote, {}, signer, now);

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
): Promise<string> => signDescription('preview', text, remote, { token: tokenHash }, signer, now);

const rejection = (message: string) => new ReleaseRejection('signature', message);

/** Formats the day of a moment, in ms since the epoch: `2026-11-21`. */
export const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the key that the header of a signature names. */
const keyIn = (header: unknown, type: string): string =>
  z.strictObject({ alg: z.literal(algorithm), typ: z.literal(type), kid: publicKeySchema }).parse(header).kid;

/** Returns a trusted key by the header of a signature, which only selects among the remote's own. */
export function keyFor(header: unknown, type: string, remote: string, keys: readonly string[]) {
  const key = keyIn(header, type);
  if (!keys.includes(key))
    throw rejection(
      `it is signed with a key that is not one of ${remote}'s: ${key}; sign it with one that TEAM_KEYS of the shell server names, or have its operator add this one`,
    );
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
}

export const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/**
 * Returns key and claims of a JWT.
 *
 * @param keys one of them must have signed it; without keys, anybody may
 * @throws ReleaseRejection with the reason `signature`
 */
async function openSignature(kind: Kind, jwt: string, remote: string, keys: readonly string[] | undefined) {
  const { type, claims: schema } = kinds[kind];
  const parseClaims = (claims: unknown): z.infer<typeof claimsSchema> & { readonly token?: string } =>
    schema.parse(claims);
  try {
    if (keys) {
      const selectKey = (header: unknown) => keyFor(header, type, remote, keys);
      const { payload, protectedHeader } = await compactVerify(jwt, selectKey, { algorithms: [algorithm] });
      return { key: String(protectedHeader.kid), claims: parseClaims(parseJson(payload)) };
    }
    const [header, claims] = jwt.split('.', 2).map((part) => parseJson(base64url.decode(part)));
    return { key: keyIn(header, type), claims: parseClaims(claims) };
  } catch (error) {
    if (error instanceof ReleaseRejection) throw error;
    if (error instanceof errors.JWSSignatureVerificationFailed)
      throw rejection('its signature was changed, or made with another key than it states');
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    throw rejection(`its signature is not valid: ${reason}`);
  }
}

/**
 * Verifies the content of `release.jws` or `preview.jws`, before anything of the release is parsed. A preview may be over:
 * its file may stay at its origin.
 *
 * @param keys the public keys of this remote's team; without them, anybody may sign
 * @param now in ms since the epoch
 * @returns the release's `release.json`, exactly as signed; and of a preview, the hash of the token in its link
 * @throws ReleaseRejection with the reason `signature`
 */
export async function verifySigned(
  kind: Kind,
  signed: string,
  remote: string,
  keys: readonly string[] | undefined,
  now = Date.now(),
): Promise<{ readonly text: string; readonly signature: ReleaseSignature; readonly tokenHash?: string | undefined }> {
  const { file, validity } = kinds[kind];
  const lineEnd = signed.indexOf('\n');
  const text = signed.slice(lineEnd + 1);
  const jwt = signed.slice(0, Math.max(lineEnd, 0));
  if (!signaturePattern.test(jwt)) throw rejection(`${file} does not begin with a signature`);
  const { key, claims } = await openSignature(kind, jwt, remote, keys);
  const { sub, iat, exp, integrity, token: tokenHash } = claims;
  const [signedAt, expiresAt] = [iat * 1000, exp * 1000];
  if (sub !== remote) throw rejection(`its signature is for ${sub}`);
  if (integrityOf(Buffer.from(text)) !== integrity) throw rejection('its release.json was changed after it was signed');
  // A team's own command signs what it likes: a release must not stay valid for as long as its key is trusted.
  if (expiresAt - signedAt > validity)
    throw rejection(`its signature is valid for more than ${validity / day} days; sign it again with npm run release`);
  if (signedAt > now + clockTolerance)
    throw rejection(
      `its signature is of ${new Date(signedAt).toISOString()}, which is in the future; check the clocks`,
    );
  if (kind === 'release' && expiresAt <= now)
    throw rejection(`its signature expired on ${dateOf(expiresAt)}; release it again`);
  return { text, signature: { key, signedAt, expiresAt, integrity }, tokenHash };
}

/**
 * Checks that a signature is the newest of its remote: an origin may offer a release of the past, such as one with a
 * vulnerability, together with its valid signature.
 *
 * @param newest the newest one that any server has accepted
 * @throws ReleaseRejection
 */
export function checkNotOlder(newest: NewestSignature | undefined, { signedAt, integrity }: ReleaseSignature): void {
  if (!newest || signedAt > newest.signedAt) return;
  if (signedAt === newest.signedAt && integrity === newest.integrity) return;
  const isoOf = (ms: number) => new Date(ms).toISOString();
  throw rejection(
    signedAt === newest.signedAt
      ? `its signature is of the same second as that of ${newest.version}; release it again`
      : `its signature of ${isoOf(signedAt)} is older than that of ${newest.version} of ${isoOf(newest.signedAt)}, which was seen before; release it again, or roll back as an operator`,
  );
}
