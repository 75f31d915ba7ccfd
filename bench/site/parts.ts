import type { Browser } from 'playwright';
import type { Report } from '../report/publish.ts';

/** How much is measured. */
export interface SiteEffort {
  /** How often each contestant is measured. */
  readonly rounds: number;
  /** Paths of the pages that are measured; all where left out. */
  readonly routes?: readonly string[];
  /** Of load on a server, for each contestant and round. */
  readonly loadSeconds: number;
  /** Numbers of remotes among which sites are compared. */
  readonly remotes: readonly number[];
}

export interface SitePartContext {
  /** What has to be stopped in the end is put here. */
  readonly started: AsyncDisposableStack;
  /** For files of the part; removed in the end. */
  readonly folder: string;
  readonly effort: SiteEffort;
  readonly browser: Browser;
  /** Gets a line about progress. */
  readonly report: (line: string) => void;
}

/** What became of an aim. */
export interface AimResult {
  /** What was aimed at, in words. */
  readonly figure: string;
  readonly aim: string;
  readonly measured: string;
  readonly met: boolean;
}

/** A report, with what it says of the aims. */
export interface SiteReport extends Report {
  readonly data: { readonly aims: readonly AimResult[]; readonly [other: string]: unknown };
}

/** Measures something of the site, and tells of it. */
export type SitePart = (context: SitePartContext) => Promise<readonly SiteReport[]>;
