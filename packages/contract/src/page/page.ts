// Without schemas: in one module with these constants, they would add 5 kB to pages.

import type { RemoteIndex } from '../release/remote-index.ts';
import type { SiteSettings } from '../site.ts';

/** Id of the element that React renders the page into. Not `root`: extensions add elements of that id. */
export const pageElementId = 'daybook-page';

/** Id of the JSON script element with `PageData`. */
export const pageDataElementId = 'page-data';

export interface PageData {
  readonly registry: RemoteIndex;
  readonly settings: SiteSettings;
}

/** Id of the template with a text page's scripts, which are loaded when the visitor does something. */
export const laterScriptsId = 'later-scripts';

/** Attribute of the style element of the document's page; its value is the release, `<remote>@<version>`. */
export const releaseStyleAttribute = 'data-release';

/** Id of the template with the preloads of the page's remote, which are added to the head after the first paint. */
export const preloadsId = 'preloads';

/** The property of `globalThis` with what happened before the shell was loaded (`src/inline/record-early-events.ts`). */
export const earlyEventsName = 'daybookEarlyEvents';

/** Key that moves the focus to the notifications (docs/product.md, Constants). */
export const toastHotkey = 'F8';

/** A click on a button, a submit with its button, or the hotkey on the body, in order. */
export type EarlyEvents = ReadonlyMap<HTMLElement, HTMLElement | null>;

/** Stops recording events and returns the recorded ones. */
export type TakeEarlyEvents = () => EarlyEvents;

/** The property of `globalThis` with `VerifiedElement`, which bundler runtimes call for every script and style. */
export const verifiedElementName = 'daybookVerifiedElement';

/** Sets an element's URL, and the file's integrity value, or `rejectedIntegrity` if the page does not admit it. */
export type VerifiedElement = <Element extends HTMLScriptElement | HTMLLinkElement>(
  element: Element,
  url: string,
) => Element;

/** The hash of no file. Browsers would ignore an empty or malformed value, and load the file unchecked. */
export const rejectedIntegrity = `sha384-${/* @__PURE__ */ 'A'.repeat(64)}`;

export const pageReportUrl = '/_reports';

export const missingRemotesPlaceholder = 'missing-remotes';

/** Seconds until a retry for a page whose remote has no release yet. */
export const missingRemotesRetryAfter = 10;
