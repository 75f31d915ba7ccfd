import { base64url, compactVerify, decodeProtectedHeader } from 'jose';
import * as z from 'zod';
import { integrityOf, ReleaseRejection } from '../gate/gate.ts';
import { algorithm, dateSchema, keyFor, parseJson, type ReleaseSigner, signaturePattern } from './signature.ts';
import type { TeamKeys } from './team-keys.ts';

/** A token that the same key signed for another purpose, such as a release, is no signature of a request. */
const type = 'daybook-request+jwt';

/** In s: how long a request is valid, and how far the clocks of both machines may differ. */
const validity = 5 * 60;
const clockTolerance = 60;

const claimsSchema = z.strictObject({ sub: z.string(), iat: dateSchema, exp: dateSchema, request: z.string() });

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
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** The body; of a release, its `release.json`, which has the hashes of all files. */
  readonly body: Uint8Array | string;
}

const hashOf = ({ method, path, body }: AskedRequest) =>
  integrityOf(Buffer.from(`${method} ${path}\n${integrityOf(Buffer.from(body))}`));

/** Signs a request of a remote's team: returns a JWT for the header `Authorization: Bearer`. */
export async function signRequest(
  asked: AskedRequest,
  remote: string,
  signer: ReleaseSigner,
  now = Date.now(),
): Promise<string> {
  const encode = (part: object) => base64url.encode(JSON.stringify(part));
  const iat = Math.floor(now / 1000);
  const claims = { sub: remote, iat, exp: iat + validity, request: hashOf(asked) };
  const input = `${encode({ alg: algorithm, typ: type, kid: signer.publicKey })}.${encode(claims)}`;
  return `${input}.${base64url.encode(await signer.sign(input))}`;
}

/** Returns whether a bearer token is a signature of a team, not the token of an operator. */
export const isRequestSignature = (token: string): boolean => signaturePattern.test(token);

/**
 * Verifies a request's signature, before its body is read.
 *
 * @param remote the remote that the request is about
 * @returns the key, and a function that checks what is asked once it is known
 * @throws RequestRejection
 */
export async function verifyRequest(
  token: string,
  remote: string,
  teamKeys: Pick<TeamKeys, 'remotes' | 'keysOf'>,
  now = Date.now(),
): Promise<{ readonly key: string; check(asked: AskedRequest): void }> {
  const keys = teamKeys.keysOf(remote);
  const owner = teamKeys.remotes().find((each) => teamKeys.keysOf(each).includes(keyNamedIn(token)));
  if (owner !== undefined && !keys.includes(keyNamedIn(token)))
    throw new RequestRejection(403, `This is the key of ${owner}'s team; it can't change ${remote}.`);
  const { key, claims } = await open(token, remote, keys);
  if (claims.sub !== remote)
    throw new RequestRejection(403, `The request is signed for ${claims.sub}, not for ${remote}.`);
  checkTimes(claims, now / 1000);
  return {
    key,
    check: (asked) => {
      if (claims.request !== hashOf(asked))
        throw new RequestRejection(401, 'The request is not the one that was signed: its address or its body differs.');
    },
  };
}

/** Returns the key that a token states, or an empty text; nothing is verified. */
export function keyNamedIn(token: string): string {
  try {
    return String(decodeProtectedHeader(token).kid);
  } catch {
    return '';
  }
}

async function open(token: string, remote: string, keys: readonly string[]) {
  try {
    const selectKey = (header: unknown) => keyFor(header, type, remote, keys);
    const { payload, protectedHeader } = await compactVerify(token, selectKey, { algorithms: [algorithm] });
    return { key: String(protectedHeader.kid), claims: claimsSchema.parse(parseJson(payload)) };
  } catch (error) {
    const why =
      error instanceof ReleaseRejection ? error.message : 'it was changed, or is not a signature of a request';
    throw new RequestRejection(401, `The signature of the request is not valid: ${why}.`);
  }
}

function checkTimes({ iat, exp }: z.infer<typeof claimsSchema>, now: number): void {
  const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();
  const times = `it is of ${isoOf(iat)}, and this server's clock says ${isoOf(now)}`;
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
