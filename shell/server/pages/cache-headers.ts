import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/** By who gets the same response. A changed page would not hydrate. */
export const cacheHeaders = {
  all: { 'Cache-Control': 'no-cache, no-transform', Vary: 'Accept-Encoding' },
  visitor: { 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Accept-Encoding, Cookie' },
} as const;

/** Lets the edge cache a response until the current second ends; nginx extends a relative time of 1 s to up to 2 s. */
export function allowEdgeCache(reply: FastifyReply): void {
  reply.header('X-Accel-Expires', `@${Math.floor(Date.now() / 1000)}`);
}

/** Returns a weak ETag: the content is sent in several encodings. */
export const etagOf = (content: string | Buffer) => `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;

export const isFresh = (request: FastifyRequest, etag: string) =>
  request.headers['if-none-match'] !== undefined && fresh(request.headers, { etag });
