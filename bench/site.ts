import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Registry, registryAddress } from '@daybook/contract';
import { stopChild } from '../scripts/children.ts';
import { findFreePort } from '../scripts/ports.ts';
import { startShellServer } from '../scripts/site.ts';

/** Nothing listens there: no measured page needs the backend. */
const noBackend = 'http://127.0.0.1:9';

/** Timeout of the first releases of all remotes, in ms. */
const mirrorTimeout = 60_000;

export interface MeasuredSite {
  readonly address: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Starts the shell server as in production, with an empty release store and without a backend. Resolves once it has a
 * release of every remote.
 *
 * @param folder for the releases that it mirrors
 * @param remotes the server's `REMOTES`; every remote's build where left out
 */
export async function startMeasuredSite(
  started: AsyncDisposableStack,
  folder: string,
  remotes?: string,
): Promise<MeasuredSite> {
  const releasesFolder = mkdtempSync(path.join(folder, 'releases-'));
  const options = { port: await findFreePort(), releasesFolder, quiet: true, ...(remotes && { remotes }) };
  const { address, child } = await startShellServer(options, noBackend);
  const stop = () => stopChild(child);
  started.defer(stop);
  const end = Date.now() + mirrorTimeout;
  for (;;) {
    const { missing } = (await (await fetch(address + registryAddress)).json()) as Registry;
    if (missing.length === 0) return { address, pid: child.pid ?? 0, stop };
    if (Date.now() > end) throw new Error(`The shell server has no release of ${missing.join(', ')}.`);
    await delay(5);
  }
}
