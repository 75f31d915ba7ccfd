import path from 'node:path';
import { stopChild } from '@daybook/runner/processes';
import { pushBuilds } from '@daybook/runner/pushing';
import { startReleasesDatabase } from '@daybook/runner/releases-database';
import { startShellServer } from '@daybook/runner/site';
import { openTokens } from '@daybook/runner/tokens';
import type { Browser } from 'playwright';
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
 * Starts the shell server as in production, with a database of its own and no backend. Resolves once it has the build of
 * every remote.
 *
 * @param folder for its cache of releases, and the tokens
 */
export async function startMeasuredSite(started: AsyncDisposableStack, folder: string) {
  const database = await startReleasesDatabase();
  started.defer(() => database.stop());
  const tokens = openTokens(folder);
  const { url, child } = await startShellServer({
    releasesFolder: path.join(folder, 'releases'),
    releasesDatabaseUrl: database.shellUrl,
    tokensFile: tokens.file,
    output: 'ignore',
  });
  started.defer(() => stopChild(child));
  await pushBuilds(url, tokens);
  return { url, pid: child.pid ?? 0 };
}
