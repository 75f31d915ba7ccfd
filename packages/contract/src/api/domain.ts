import tr46 from 'tr46';
import { isInternationalDomain } from './email.ts';

const options = { checkBidi: true, checkJoiners: true, useSTD3ASCIIRules: true };

/** Letters and marks that IDNA 2008 disallows (RFC 5892: exceptions, ignorable blocks, old Hangul). */
const disallowed =
  /[\u0640\u07fa\u1100-\u11ff\u3031-\u3035\u303b\ua960-\ua97f\ud7b0-\ud7ff]|[\u20d0-\u20ff\u302e\u302f]/;

/** A hyphen at an end of a label, or two as its third and fourth character. */
const misplacedHyphen = /(?:^|\.)(?:-|..--)|-(?:\.|$)/u;

/**
 * Returns whether each label of a domain in ASCII is one that IDNA 2008 allows: what punycode encodes is checked as if
 * it had been typed, because browsers encode any symbol. Only on servers: the tables are larger than a page.
 * `domain.browser.ts` takes its place in browsers.
 */
export function isDomain(domain: string): boolean {
  if (!/(?:^|\.)xn--/.test(domain)) return true;
  const { domain: decoded, error } = tr46.toUnicode(domain, options);
  return (
    !error &&
    isInternationalDomain(decoded) &&
    !disallowed.test(decoded) &&
    !misplacedHyphen.test(decoded) &&
    tr46.toASCII(decoded, { ...options, verifyDNSLength: true }) === domain
  );
}
