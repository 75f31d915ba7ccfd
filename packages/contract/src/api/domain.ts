import tr46 from 'tr46';
import { isInternationalDomain } from './email-address.ts';

const options = { checkBidi: true, checkJoiners: true, useSTD3ASCIIRules: true };

/**
 * Returns whether each label of a domain in ASCII is one that IDNA 2008 allows: what punycode encodes is checked as if
 * it had been typed, because browsers encode any symbol. Only on servers: the tables are larger than a page.
 * `domain.browser.ts` takes its place in browsers.
 */
export function isDomain(domain: string): boolean {
  if (!/(?:^|\.)xn--/.test(domain)) return true;
  const { domain: decoded, error } = tr46.toUnicode(domain, options);
  return (
    !error && isInternationalDomain(decoded) && tr46.toASCII(decoded, { ...options, verifyDNSLength: true }) === domain
  );
}
