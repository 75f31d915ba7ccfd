import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie that keeps a visitor in the same share of all visitors; it says nothing but a number from 0 to 99. */
const bucketCookie = 'bucket';

/** The cookie is kept this long, in seconds: 30 days. */
const lifetime = 30 * 24 * 60 * 60;

/**
 * The number that decides whether a visitor gets canaries. A visitor without one gets one with this answer: so
 * it is asked for only while a canary runs, and no cookie is set at other times.
 *
 * @returns a whole number from 0 to 99
 */
export function bucketOf(request: FastifyRequest, reply: FastifyReply): number {
  const known = request.cookies[bucketCookie];
  if (known && /^\d{1,2}$/.test(known)) return Number(known);
  const bucket = randomInt(100);
  reply.setCookie(bucketCookie, String(bucket), {
    path: '/',
    maxAge: lifetime,
    sameSite: 'lax',
  });
  return bucket;
}
