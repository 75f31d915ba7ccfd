import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/**
 * Headers that prevent shared caches from serving a page or the remote index to a visitor who gets other releases, and from
 * changing it: pages are hydrated, and their policy has hashes of their scripts. By who gets the same response.
 */
export const cacheHeaders = {
  all: { 'Cache-Control': 'no-cache, no-transform', Vary: 'Accept-Encoding' },
  visitor: { 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Accept-Encoding, Cookie' },
} as const;

/**
 * Lets the edge cache a 200 response until the end of the current second; only for one that all visitors get. An absolute
 * time, because nginx extends a relative one of 1 s to up to 2 s.
 */
export function allowEdgeCache(reply: FastifyReply): void {
  reply.header('X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`);
}

/** Returns whether the client has this content already, so that the response is a 304. */
export const isFresh = (request: FastifyRequest, etag: string) =>
  request.headers['if-none-match'] !== undefined && fresh(request.headers, { etag });
