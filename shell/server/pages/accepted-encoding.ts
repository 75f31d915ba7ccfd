import type { Encoding } from './page-cache.ts';

const refused = /;\s*q=0(?:\.0*)?$/;

/** The best encoding that a request's Accept-Encoding allows. */
export function acceptedEncoding(header: string | string[] | undefined): Encoding {
  const accepted = String(header ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !refused.test(item))
    .map((item) => item.replace(/;.*$/, '').trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : 'identity';
}
