import type { OfferId } from '@daybook/contract';

/**
 * Opens an address in a new tab, and tells whether the browser let it. Best called within the click that
 * asks for it: browsers let one click open one tab and hold back the others, and mostly hold back what a timer opens.
 *
 * The tab starts blank and is cut off from this page by hand, since `noopener` makes `window.open` give `null`
 * always, so that a tab that was held back could not be told from one that opened.
 */
export function openInNewTab(address: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (tab === null || tab.closed) return false;
  tab.opener = null;
  tab.location.replace(address);
  return true;
}

/** An address on the web, safe to open and to show. */
export interface WebAddress {
  readonly href: string;
  /** Host as the browser reads it, international names in punycode, with the port if there is one. */
  readonly host: string;
}

/** Far longer than any sponsor's, in characters. */
const longestAddress = 2048;

/** Absolute, http or https, without credentials before the host, which make one site look like another, nor a space in it. */
const absolute = /^https?:\/\/[^/?# @]+(?:[/?#]|$)/i;

/** White space other than the plain space, what can't be seen, and the backslash, which browsers take for a slash. */
const deceptive = /[^\S ]|[\p{Cc}\p{Cf}\\]/u;

/**
 * The web address in `text`, or `undefined` for everything else: `javascript:` and `data:`, `//host`, `\\host`,
 * credentials, white space before or in the host, and what does not parse. A space after the host is one that a link
 * decoded, and is encoded again.
 */
export function parseWebAddress(text: unknown): WebAddress | undefined {
  if (typeof text !== 'string' || text.length > longestAddress) return undefined;
  if (deceptive.test(text) || !absolute.test(text)) return undefined;
  const url = URL.parse(text.replaceAll(' ', '%20'));
  return url === null ? undefined : { href: url.href, host: url.host };
}

/**
 * What a page hands over to the thank-you page when the browser held back tabs. It travels in the history entry
 * and not in the address, so it survives a reload, is never shared, and no link can put an address there.
 */
export interface BlockedTabsState {
  /** From the offer picker: the chosen offers that did not open, none where all did. */
  readonly blockedOffers?: readonly OfferId[];
  /** From /redirect: the address that did not open. */
  readonly blockedAddress?: string;
}
