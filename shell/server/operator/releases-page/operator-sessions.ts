import { isUtf8 } from 'node:buffer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { type OperatorAccess, sessionLength } from '../operator-access.ts';
import { releasesPageAddress } from './addresses.ts';

/** Who asks: a person who has signed in, or a script that sends the token each time. */
export interface Operator {
  readonly name: string;
  readonly kind: 'person' | 'script';
}

const cookieName = 'operator';

/** The name under which a script's changes are logged that does not say whose they are. */
const nameOfScripts = 'operator token';

/** An operator's name as the log has it. */
export const operatorNameSchema = z
  .string('Write your name; the log keeps it with each change.')
  .check(
    z.trim(),
    z.minLength(1, 'Write your name; the log keeps it with each change.'),
    z.maxLength(60, 'Write a name of at most 60 characters.'),
    z.regex(/^\P{C}*$/u, 'Write the name without control characters.'),
  );

/** The cookie is for these pages alone, and no other site's form can send it. */
const optionsFor = (request: FastifyRequest) =>
  ({
    path: releasesPageAddress,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.protocol === 'https',
  }) as const;

/** A header's bytes arrive as characters of Latin-1; scripts most often mean UTF-8. */
function textOf(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/** Who asks; `undefined` for anybody who has neither a session nor the token. */
export function operatorOf(request: FastifyRequest, access: OperatorAccess): Operator | undefined {
  const { authorization, 'operator-name': given } = request.headers;
  if (authorization !== undefined) {
    if (!access.isAuthorization(authorization)) return undefined;
    return { name: operatorNameSchema.safeParse(textOf(given)).data ?? nameOfScripts, kind: 'script' };
  }
  const name = access.nameOf(request.cookies[cookieName]);
  return name === undefined ? undefined : { name, kind: 'person' };
}

export function openSession(request: FastifyRequest, reply: FastifyReply, access: OperatorAccess, name: string): void {
  reply.setCookie(cookieName, access.openSession(name), { ...optionsFor(request), maxAge: sessionLength / 1000 });
}

export function endSession(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(cookieName, optionsFor(request));
}

/**
 * Whether a form was sent from a page of this site. The cookie is not sent with any other's; this holds where a
 * browser does not know that, and for signing in, which needs no cookie.
 */
export function isFromThisSite({ headers, host }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin !== undefined && URL.parse(headers.origin)?.host === host;
}
