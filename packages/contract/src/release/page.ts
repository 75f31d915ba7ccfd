// Without schemas: with these constants, pages would carry 5 kB of them.

import type { SiteSettings } from '../site.ts';
import type { Registry } from './registry.ts';

/** Id of the JSON script element in which the shell server hands `PageData` to the browser: no request is spent on finding out what to load. */
export const pageDataElementId = 'page-data';

export interface PageData {
  readonly registry: Registry;
  readonly settings: SiteSettings;
}

/**
 * The property of `globalThis` under which a page's first script gives what visitors pressed and sent before the shell
 * was there; see the shell server's `early-events.ts`.
 */
export const earlyEventsName = 'daybookEarlyEvents';

/** A button that was pressed, or a form that was sent and by which button, in the order in which it happened. */
export type EarlyEvents = ReadonlyMap<HTMLElement, HTMLElement | null>;

/** Ends the keeping of events, and gives those that were kept. */
export type TakeEarlyEvents = () => EarlyEvents;

/**
 * The property of `globalThis` under which the shell tells the integrity value that a file must have. Each remote's
 * bundler runtime asks it for every chunk and style that it loads; see the build's `IntegrityRuntimePlugin`.
 */
export const integrityLookupName = 'daybookIntegrityOf';

/**
 * Gives the integrity value of a file.
 *
 * @param address absolute address of the file
 */
export type IntegrityLookup = (address: string) => string;

/** Well-formed, and the hash of nothing that exists: a browser refuses any file with it. An empty or malformed value it would ignore. */
export const refusedIntegrity = `sha384-${'A'.repeat(64)}`;

/** Where pages report views and failures of a remote, without waiting for the response. */
export const pageReportAddress = '/_reports';

/** The `Server-Timing` of pages and registry whose description is the nonce that a report needs while a canary runs. */
export const reportNonceName = 'report-nonce';

/** Stands for the names of the missing remotes in `missingRemotesPage`. */
export const missingRemotesPlaceholder = 'missing-remotes';

/** Seconds after which a page may be there that has no release yet: in the page's words and in `Retry-After`. */
export const missingRemotesRetryAfter = 10;
