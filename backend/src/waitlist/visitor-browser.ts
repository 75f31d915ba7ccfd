import { truncateIp } from '@daybook/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'waitlist';
const maxEntries = 5;
/** 30 days, in seconds: visitors may open the thank-you page later, from a bookmark or a mail. */
const lifetime = 30 * 24 * 60 * 60;

/** Returns the ids of the entries signed up in this browser, newest first; empty if the cookie is missing or forged. */
export function entriesOfBrowser(request: FastifyRequest): number[] {
  // A cookie of the same name at a longer path comes first.
  const named = (request.headers.cookie ?? '')
    .split(';')
    .flatMap((each) => request.server.parseCookie(each)[cookieName] ?? []);
  const signed = named.map((each) => request.unsignCookie(each)).find(({ valid }) => valid);
  return signed?.value?.split('_').map(Number) ?? [];
}

/** Adds the entry to the cookie of the browser that signed it up, or moves it to the front. */
export function rememberEntry(request: FastifyRequest, reply: FastifyReply, id: number): void {
  const ids = [...new Set([id, ...entriesOfBrowser(request)])].slice(0, maxEntries);
  void reply.setCookie(cookieName, ids.join('_'), {
    path: '/api',
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    maxAge: lifetime,
  });
}

const storedBits = { ipv4: 24, ipv6: 48 } as const;

export function clientInfoOf(request: Pick<FastifyRequest, 'headers' | 'ip'>) {
  const [language = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/, 1);
  return {
    userAgent: request.headers['user-agent']?.slice(0, 512) || null,
    language: language.trim().slice(0, 64) || null,
    network: truncateIp(request.ip, storedBits) ?? null,
  };
}
