import * as z from 'zod';
import { integrityOf } from '../manifest/manifest.ts';
import { ReleaseRejection } from '../manifest/rejection.ts';
import { type ReleaseSigner, SignatureError, signClaims, verifyClaims } from './signature.ts';

const type = 'daybook-release+jwt';

/** No dates: a signature alone changes nothing. Requests have dates, and publishing again what was active once has no effect. */
const claimsSchema = z.strictObject({ sub: z.string(), integrity: z.string() });

/**
 * Signs a release of a remote.
 *
 * @param manifest its `release.json`, which has the hashes of all files
 * @throws ReleaseRejection if the signer's signature does not match its public key
 */
export async function signRelease(manifest: string, remote: string, signer: ReleaseSigner): Promise<string> {
  const claims = { sub: remote, integrity: integrityOf(Buffer.from(manifest)) };
  const signature = await signClaims(type, claims, signer);
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
  const { claims } = await verifyClaims(type, signature, keys, claimsSchema).catch((error: Error) => {
    throw error instanceof SignatureError ? reject(`its signature is not valid: ${error.message}`) : error;
  });
  if (claims.sub !== remote) throw reject(`its signature is for ${claims.sub}`);
  if (claims.integrity !== integrityOf(Buffer.from(manifest)))
    throw reject('its release.json was changed after it was signed');
}
