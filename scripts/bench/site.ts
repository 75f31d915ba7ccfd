import path from 'node:path';
import { stopChild } from '@daybook/testing/processes';
import { publishBuilds } from '@daybook/testing/publishing';
import { startReleasesDatabase } from '@daybook/testing/releases-database';
import { startShellServer } from '@daybook/testing/site';
import { openTokens } from '@daybook/testing/tokens';
import type { Browser } from 'playwright';
import type { Report } from './report.ts';

export interface BenchOptions {
  /** Number of measurements of each contestant. */
  readonly rounds: number;
  /** Paths of the pages to measure; default: all. */
  readonly routes?: readonly string[];
}

interface PartContext extends BenchOptions {
  readonly started: AsyncDisposableStack;
  /** Removed at the end. */
  readonly folder: string;
  readonly browser: () => Promise<Browser>;
  readonly report: (line: string) => void;
}

export type Part = (context: PartContext) => Promise<Report>;

/** Starts the shell server as in production, with a database of its own, no backend, and the build of every remote. */
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
  await publishBuilds(url, tokens);
  return { url, pid: child.pid ?? 0 };
}
