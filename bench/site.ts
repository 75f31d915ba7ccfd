import path from 'node:path';
import { stopChild } from '@daybook/testing/processes';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import type { Browser } from 'puppeteer-core';
import type { Report } from './report.ts';

/** Options of `npm run bench`. */
export interface BenchOptions {
  /** Number of measurements of each contestant. */
  readonly rounds: number;
  /** Paths of the pages to measure; default: all. */
  readonly routes?: readonly string[];
}

interface PartContext extends BenchOptions {
  /** Stops everything the part started when it is disposed. */
  readonly started: AsyncDisposableStack;
  /** Temporary folder of the part; removed at the end. */
  readonly folder: string;
  readonly browser: () => Promise<Browser>;
  /** Prints a line of progress. */
  readonly report: (line: string) => void;
}

/** A part of `npm run bench`. */
export type Part = (context: PartContext) => Promise<Report>;

/**
 * Starts the shell server as in production, with an empty release store and no backend. Resolves once it has a release
 * of every remote.
 *
 * @param folder for the mirrored releases
 */
export async function startMeasuredSite(started: AsyncDisposableStack, folder: string) {
  const releasesFolder = path.join(folder, 'releases');
  const { address, child } = await startShellServer({ releasesFolder, output: 'ignore' });
  started.defer(() => stopChild(child));
  await untilMirrored(address);
  return { address, pid: child.pid ?? 0 };
}
