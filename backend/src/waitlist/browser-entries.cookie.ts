import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'waitlist';
/** A family signs up several persons on one computer. */
const mostEntries = 5;
/** 30 days, in seconds: the thank-you page may be opened from a bookmark or a mail later. */
const lifetime = 30 * 24 * 60 * 60;

/** The ids of the entries signed up from this browser, newest first; empty when the cookie is absent or forged. */
export function entriesOfBrowser(request: FastifyRequest): number[] {
  const { valid, value } = request.unsignCookie(request.cookies[cookieName] ?? '');
  return valid ? value.split('_').map(Number) : [];
}

/** Remembers in the browser that it signed up this entry. */
export function rememberEntry(request: FastifyRequest, reply: FastifyReply, id: number): void {
  const ids = [id, ...entriesOfBrowser(request)].slice(0, mostEntries);
  void reply.setCookie(cookieName, ids.join('_'), {
    path: '/api',
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    maxAge: lifetime,
  });
}
