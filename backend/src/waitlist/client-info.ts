import { isIPv4, isIPv6 } from 'node:net';
import { withoutPort } from '@daybook/server';
import type { FastifyRequest } from 'fastify';

/** Longest texts that are stored, in characters. */
const userAgentMaxLength = 512;
const languageMaxLength = 64;

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
    networkAddress: truncateNetworkAddress(request.ip),
  };
}

/**
 * The network of an address, as much as is kept of it: the first 24 bits of an IPv4 and the first 48 of an IPv6
 * address, in CIDR notation. Null for what is no address: a forwarding header may hold any text.
 */
export function truncateNetworkAddress(address: string): string | null {
  // A dual-stack socket shows IPv4 visitors in this spelling.
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(plain)) return plain.replace(/\d+$/, '0/24');
  if (!isIPv6(plain)) return null;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) groups.push(...zeros(8 - groups.length - groupCount(tail)), ...tail.split(':'));
  return `${groups.slice(0, 3).join(':')}::/48`;
}

const zeros = (count: number): string[] => Array(Math.max(0, count)).fill('0');

/** An IPv4 address at the end of an IPv6 one takes two groups. */
const groupCount = (groups: string) => (groups === '' ? 0 : groups.split(':').length + (groups.includes('.') ? 1 : 0));
