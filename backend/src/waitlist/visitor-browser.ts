import { truncateAddress } from '@daybook/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

const cookieName = 'waitlist';
/** A family signs up several persons on one computer. */
const maxEntries = 5;
/** 30 days, in seconds: the thank-you page may be opened from a bookmark or a mail later. */
const lifetime = 30 * 24 * 60 * 60;

/** The ids of the entries signed up from this browser, newest first; empty when the cookie is absent or forged. */
export function entriesOfBrowser(request: FastifyRequest): number[] {
  const { valid, value } = request.unsignCookie(request.cookies[cookieName] ?? '');
  return valid ? value.split('_').map(Number) : [];
}

/** Remembers in the browser that it signed up this entry. */
export function rememberEntry(request: FastifyRequest, reply: FastifyReply, id: number): void {
  const ids = [id, ...entriesOfBrowser(request)].slice(0, maxEntries);
  void reply.setCookie(cookieName, ids.join('_'), {
    path: '/api',
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    maxAge: lifetime,
  });
}

/** Longest texts that are stored, in characters. */
const userAgentMaxLength = 512;
const languageMaxLength = 64;

/** Bits of a network address that are stored, in CIDR notation: too few to identify a visitor. */
const storedBits = { ipv4: 24, ipv6: 48 } as const;

/** What a request says about the visitor's browser; null for what it does not say. */
export interface ClientInfo {
  readonly userAgent: string | null;
  readonly language: string | null;
  readonly networkAddress: string | null;
}

/** Reads user agent, preferred language and truncated network address from a request's headers and sender. */
export function clientInfoOf(request: Pick<FastifyRequest, 'headers' | 'ip'>): ClientInfo {
  const [language = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/, 1);
  return {
    userAgent: request.headers['user-agent']?.slice(0, userAgentMaxLength) || null,
    language: language.trim().slice(0, languageMaxLength) || null,
    networkAddress: truncateAddress(request.ip, storedBits) ?? null,
  };
}
