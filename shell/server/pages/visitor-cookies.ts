import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Cookie that keeps a visitor in the same canary bucket; contains only a number from 0 to 99. */
const bucketCookie = 'bucket';

/** In seconds: 30 days. */
const bucketLifetime = 30 * 24 * 60 * 60;

/** Cookie with the token of a preview's link; until the preview ends. */
const previewCookie = 'preview';

export type Cookies = Pick<FastifyRequest, 'cookies'>;
export type CookieReply = Pick<FastifyReply, 'setCookie' | 'clearCookie'>;

/** Returns the visitor's canary bucket, a whole number from 0 to 99; sets the cookie unless the visitor has it. */
export function bucketOf({ cookies }: Cookies, reply: CookieReply): number {
  const known = cookies[bucketCookie];
  if (known && /^\d{1,2}$/.test(known)) return Number(known);
  const bucket = randomInt(100);
  reply.setCookie(bucketCookie, String(bucket), { path: '/', maxAge: bucketLifetime, sameSite: 'lax' });
  return bucket;
}

/** Returns the token of the preview whose link the visitor opened last; `undefined` without one. */
export const previewTokenOf = ({ cookies }: Cookies): string | undefined => cookies[previewCookie];

/** @param endsAt in ms since the epoch */
export const setPreviewCookie = (reply: CookieReply, token: string, endsAt: number) =>
  reply.setCookie(previewCookie, token, { path: '/', expires: new Date(endsAt), sameSite: 'lax' });

export const leavePreview = (reply: CookieReply) => reply.clearCookie(previewCookie, { path: '/', sameSite: 'lax' });
