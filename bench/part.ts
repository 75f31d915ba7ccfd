import type { Browser } from 'puppeteer-core';
import type { Report } from './report.ts';

export interface PartOptions {
  /** How often each contestant is measured. */
  readonly rounds: number;
  /** Paths of the pages to measure; all where left out. */
  readonly routes?: readonly string[];
  /** Adds a backend whose database has so many subscribers. */
  readonly subscribers?: number;
}

export interface PartContext extends PartOptions {
  /** Stops what the part has started when it is disposed. */
  readonly started: AsyncDisposableStack;
  /** For files of the part; removed at the end. */
  readonly folder: string;
  readonly browser: () => Promise<Browser>;
  /** Prints a line of progress. */
  readonly report: (line: string) => void;
}

/** A part of `npm run bench`. */
export type Part = (context: PartContext) => Promise<Report>;
