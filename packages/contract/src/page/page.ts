// Without schemas: in one module with these constants, they would add 5 kB to pages.

import type { RemoteIndex } from '../release/remote-index.ts';
import type { SiteSettings } from '../site.ts';

/**
 * Id of the element that React renders the page into. Not `root`: extensions add elements of that id, also before the
 * page's own.
 */
export const pageElementId = 'daybook-page';

/**
 * Id of the JSON script element in which the shell server sends `PageData` to the browser: avoids a request to learn
 * what to load.
 */
export const pageDataElementId = 'page-data';

export interface PageData {
  readonly registry: RemoteIndex;
  readonly settings: SiteSettings;
}

/** Id of the template element with a text page's scripts, which are loaded when the visitor does something. */
export const laterScriptsId = 'later-scripts';

/**
 * Attribute of the style element with the styles of the document's page, which apply only while a page of its remote is
 * shown; its value is the release, `<remote>@<version>`.
 */
export const releaseStyleAttribute = 'data-release';

/**
 * Id of the template element with the preloads of the page's remote. They are added to the head after the first paint,
 * or by the shell if it starts before that.
 */
export const preloadsId = 'preloads';

/**
 * The property of `globalThis` through which a page's first script provides the clicks and submits that happened before
 * the shell was loaded; see the shell's `src/inline/record-early-events.ts`.
 */
export const earlyEventsName = 'daybookEarlyEvents';

/** Key that moves the focus to the notifications (docs/product.md, Constants). */
export const toastHotkey = 'F8';

/** A click on a button, a submit with its button, or the hotkey, on the body; in chronological order. */
export type EarlyEvents = ReadonlyMap<HTMLElement, HTMLElement | null>;

/** Stops recording events and returns the recorded ones. */
export type TakeEarlyEvents = () => EarlyEvents;

/**
 * The property of `globalThis` under which the shell provides `VerifiedElement`. The bundler runtimes of the shell and of
 * each remote call it for every script and style that they load; see `packages/build`.
 */
export const verifiedElementName = 'daybookVerifiedElement';

/**
 * Makes an element load a file only if the page admits it: sets its URL, as the page's security policy demands it, and the
 * integrity value of the file, which no file has if this one is not admitted.
 *
 * @returns the same element
 */
export type VerifiedElement = <Element extends HTMLScriptElement | HTMLLinkElement>(
  element: Element,
  url: string,
) => Element;

/**
 * Well-formed, but the hash of no existing file: browsers reject any file with it. They would ignore an empty or
 * malformed value and load the file unchecked.
 */
export const rejectedIntegrity = `sha384-${/* @__PURE__ */ 'A'.repeat(64)}`;

/** Endpoint for pages' reports about failures of a remote; pages do not wait for the response. */
export const pageReportUrl = '/_reports';

/** Placeholder for the names of the missing remotes in `missingRemotesPage`. */
export const missingRemotesPlaceholder = 'missing-remotes';

/** Seconds until a retry for a page whose remote has no release yet: in the page's text and in `Retry-After`. */
export const missingRemotesRetryAfter = 10;
