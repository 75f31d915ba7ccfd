import { truncateAddress } from '@daybook/server';
import type { FastifyRequest } from 'fastify';

/** Longest texts that are stored, in characters. */
const userAgentMaxLength = 512;
const languageMaxLength = 64;

/** Bits of a network address that are stored, in CIDR notation: too few to tell one visitor. */
const storedBits = { ipv4: 24, ipv6: 48 } as const;

/** What a request tells about the visitor's browser; a part that it does not tell is null. */
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
