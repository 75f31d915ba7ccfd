import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '@daybook/server';
import type { Signer } from '@fastify/cookie';

/**
 * Signs cookies that only this site may set: `<value>.<HMAC-SHA256 in base64url>`. The edge passes the cookie of a preview in
 * this form only (deploy/nginx/edge.conf).
 *
 * @param secret the same on all servers; if it is empty, a random one of this server
 */
export function cookieSigner(secret: string): Pick<Signer, 'sign' | 'unsign'> {
  const key = deriveKey(secret || randomBytes(32).toString('hex'), 'visitor cookies');
  const sign = (value: string) => `${value}.${createHmac('sha256', key).update(value).digest('base64url')}`;
  return {
    sign,
    unsign: (signed: string) => {
      const value = signed.slice(0, Math.max(0, signed.lastIndexOf('.')));
      const [given, expected] = [Buffer.from(signed), Buffer.from(sign(value))];
      const valid = given.length === expected.length && timingSafeEqual(given, expected);
      return valid ? { valid, renew: false, value } : { valid, renew: false, value: null };
    },
  };
}
