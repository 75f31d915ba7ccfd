import type { OfferId } from '@daybook/contract/site';

/**
 * Opens a URL in a new tab; returns whether the browser allowed it. Call it within the click that requested it:
 * browsers allow one tab per click and block further ones, and mostly block those opened by a timer.
 *
 * Opens a blank tab and resets its opener by hand: with `noopener`, `window.open` always returns `null`, so that a
 * blocked tab could not be distinguished from an opened one.
 */
export function openInNewTab(url: string): boolean {
  try {
    const tab = window.open('about:blank', '_blank');
    if (!tab || tab.closed || !isSeparate(tab)) return false;
    tab.opener = null;
    tab.location.replace(url);
    return true;
  } catch {
    // Extensions and in-app browsers replace the function: it returns anything, or throws.
    return false;
  }
}

/** Content blockers return a hidden frame, or an imitation with this page's own location, which must not change. */
const isSeparate = (tab: Window) => !tab.frameElement && tab.location !== window.location;

/** A URL that is safe to open and to show. */
export interface WebUrl {
  readonly href: string;
  /** Host as parsed by the browser, international names in punycode, with the port if there is one. */
  readonly host: string;
}

/** In characters; far longer than any sponsor's. */
const maxUrlLength = 2048;

/**
 * Absolute, http or https, without spaces, and without credentials before the host, which can make one site look like
 * another.
 */
const absolute = /^https?:\/\/[^/?# @]+(?:[/?#]|$)/i;

/** White space except the plain space, invisible characters, and the backslash, which browsers read as a slash. */
const deceptive = /[^\S ]|[\p{Cc}\p{Cf}\\]/u;

/**
 * Parses a URL of the web; returns `undefined` for everything else: `javascript:` and `data:`, `//host`, `\\host`,
 * credentials, white space before or in the host, and invalid URLs. A space after the host was decoded from a
 * link, and is encoded again.
 */
export function parseWebUrl(text: unknown): WebUrl | undefined {
  if (typeof text !== 'string' || text.length > maxUrlLength) return undefined;
  if (deceptive.test(text) || !absolute.test(text)) return undefined;
  try {
    const { href, host } = new URL(text.replaceAll(' ', '%20'));
    return { href, host };
  } catch {
    return undefined;
  }
}

/**
 * State passed to the thank-you page when the browser blocked tabs. In the history entry instead of the URL, so it
 * survives a reload, is never shared, and cannot be forged by a link.
 */
export interface BlockedTabsState {
  /** From the offer picker: the selected offers that did not open; empty if all did. */
  readonly blockedOffers?: readonly OfferId[];
  /** From /redirect: the URL that did not open. */
  readonly blockedUrl?: string;
}

/** State passed from the offer picker to the thank-you page. */
export interface AfterPicker extends BlockedTabsState {
  /** The selection could not be saved. */
  readonly areOffersUnsaved?: true;
}
