import Negotiator from 'negotiator';
import type { Encoding } from './page-cache.ts';

/** The smallest first: browsers accept all encodings alike. */
const encodings: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Returns the encoding that a request's Accept-Encoding header prefers; `identity` where it rejects every one. */
export function acceptedEncoding(header: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return negotiator.encoding(encodings, { preferred: encodings }) ?? 'identity';
}
