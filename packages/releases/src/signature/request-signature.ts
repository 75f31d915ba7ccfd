import * as z from 'zod';
import { integrityOf } from '../manifest/manifest.ts';
import { keyNamedIn, type ReleaseSigner, SignatureError, signClaims, verifyClaims } from './signature.ts';
import type { TeamKeys } from './team-keys.ts';

const type = 'daybook-request+jwt';

/** In s: how long a request is valid, and how far the clocks of both machines may differ. */
const validity = 5 * 60;
const clockTolerance = 60;

/** Seconds since the epoch, up to the year 9999. */
const dateSchema = z.int().min(0).max(253_402_300_799);

const claimsSchema = z.strictObject({
  sub: z.string(),
  aud: z.string(),
  iat: dateSchema,
  exp: dateSchema,
  request: z.string(),
});

/** Thrown for a request that its signature does not permit: 401 if it is not valid, 403 if it is another team's. */
export class RequestRejection extends Error {
  override readonly name = 'RequestRejection';
  readonly statusCode: 401 | 403;

  constructor(statusCode: RequestRejection['statusCode'], message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** What a team asks a site for. */
export interface AskedRequest {
  /** The site's public origin, `PUBLIC_URL`: a request for one site is not valid at another. */
  readonly site: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The body; of a release, its `release.json`, which has the hashes of all files. */
  readonly body: Uint8Array | string;
}

const hashOf = ({ method, path, body }: Omit<AskedRequest, 'site'>) =>
  integrityOf(Buffer.from(`${method} ${path}\n${integrityOf(Buffer.from(body))}`));

/** Signs a request of a remote's team: returns a JWT for the header `Authorization: Bearer`. */
export async function signRequest(
  asked: AskedRequest,
  remote: string,
  signer: ReleaseSigner,
  now = Date.now(),
): Promise<string> {
  // A machine whose clock runs ahead a little must not sign for the future.
  const iat = Math.floor(now / 1000) - clockTolerance;
  const exp = iat + validity;
  return signClaims(type, { sub: remote, aud: asked.site, iat, exp, request: hashOf(asked) }, signer);
}

/**
 * Verifies a request's signature, before its body is read.
 *
 * @param remote the remote that the request is about
 * @param site the site's public origin
 * @returns the key, and a function that checks what is asked once it is known
 * @throws RequestRejection
 */
export async function verifyRequest(
  token: string,
  remote: string,
  site: string,
  teamKeys: Pick<TeamKeys, 'remotes' | 'keysOf'>,
): Promise<{ readonly key: string; check(asked: Omit<AskedRequest, 'site'>): void }> {
  const keys = teamKeys.keysOf(remote);
  const owner = teamKeys.remotes().find((each) => teamKeys.keysOf(each).includes(keyNamedIn(token)));
  if (owner !== undefined && !keys.includes(keyNamedIn(token)))
    throw new RequestRejection(403, `This is the key of ${owner}'s team; it can't change ${remote}.`);
  const { key, claims } = await verifyClaims(type, token, keys, claimsSchema).catch((error: Error) => {
    if (!(error instanceof SignatureError)) throw error;
    throw new RequestRejection(401, `The signature of the request is not valid: ${error.message}.`);
  });
  if (claims.sub !== remote)
    throw new RequestRejection(403, `The request is signed for ${claims.sub}, not for ${remote}.`);
  if (claims.aud !== site)
    throw new RequestRejection(
      401,
      `The request is signed for the site ${claims.aud}; this is ${site}. Use that address, or set PUBLIC_URL of the shell server.`,
    );
  checkTimes(claims, Date.now() / 1000);
  return {
    key,
    check: (asked) => {
      if (claims.request !== hashOf(asked))
        throw new RequestRejection(401, 'The request is not the one that was signed: its address or its body differs.');
    },
  };
}

function checkTimes({ iat, exp }: z.infer<typeof claimsSchema>, now: number): void {
  const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();
  const times = `it is valid from ${isoOf(iat)} to ${isoOf(exp)}, and this server's clock says ${isoOf(now)}`;
  if (exp - iat > validity)
    throw new RequestRejection(401, `The request is signed for more than ${validity / 60} minutes.`);
  if (iat > now + clockTolerance)
    throw new RequestRejection(401, `The request is of the future: ${times}. Check the clock of your machine.`);
  if (exp + clockTolerance < now)
    throw new RequestRejection(
      401,
      `The request has expired: ${times}. Send it again, or check the clock of your machine.`,
    );
}
