import type { OfferId } from '@daybook/contract/site';

/**
 * Opens a URL in a new tab; returns whether the browser allowed it. Browsers allow one tab per click, and mostly block
 * those opened by a timer.
 */
export function openInNewTab(url: string): boolean {
  try {
    // A blank tab: with `noopener`, `window.open` returns `null` for an opened tab, too.
    const tab = window.open('about:blank', '_blank');
    // Content blockers return a hidden frame, or an imitation with this page's own location.
    if (!tab || tab.closed || tab.frameElement || tab.location === window.location) return false;
    tab.opener = null;
    tab.location.replace(url);
    return true;
  } catch {
    // Extensions and in-app browsers replace the function.
    return false;
  }
}

export interface WebUrl {
  readonly href: string;
  /** With the port if there is one; international names in punycode. */
  readonly host: string;
}

const maxUrlLength = 2048;

/** http or https, without spaces and without credentials, which can make one site look like another. */
const absolute = /^https?:\/\/[^/?# @]+(?:[/?#]|$)/i;

/** White space except the plain space, invisible characters, and the backslash, which browsers read as a slash. */
const deceptive = /[^\S ]|[\p{Cc}\p{Cf}\\]/u;

/** Parses a URL of the web; returns `undefined` for everything else. A space after the host is encoded again. */
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

/** State of the thank-you page's history entry: it survives a reload, is never shared, and no link can forge it. */
export interface BlockedTabsState {
  /** From the offer picker: the selected offers that did not open; empty if all did. */
  readonly blockedOffers?: readonly OfferId[];
  /** From the offer picker: the selection could not be saved. */
  readonly areOffersUnsaved?: true;
  /** From /redirect: the URL that did not open. */
  readonly blockedUrl?: string;
}
