import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Registry, registryAddress } from '@daybook/contract';
import { findFreePort } from '@daybook/testing/ports';
import { stopChild } from '@daybook/testing/processes';
import { startShellServer } from '@daybook/testing/site';

/** Nothing listens there: no page that is measured needs the backend to be shown. */
const noBackend = 'http://127.0.0.1:9';

/** Releases that are not there after this many ms never will be. */
const mirrorLimit = 60_000;

export interface MeasuredSite {
  readonly address: string;
  readonly pid: number;
  registry(): Promise<Registry>;
  stop(): Promise<void>;
}

export interface MeasuredSiteOptions {
  /** For the releases that it mirrors. */
  readonly folder: string;
  /** `REMOTES`; every remote's own dist folder where left out. */
  readonly remotes?: string;
  readonly port?: number;
  /** Where a former server has kept its releases, to go on from them. */
  readonly releasesFolder?: string;
}

async function readRegistry(address: string): Promise<Registry> {
  return (await (await fetch(address + registryAddress)).json()) as Registry;
}

/** Waits until every remote has a release. */
async function untilComplete(address: string): Promise<void> {
  const end = Date.now() + mirrorLimit;
  for (;;) {
    const { missing } = await readRegistry(address);
    if (missing.length === 0) return;
    if (Date.now() > end)
      throw new Error(`The shell server has no release of ${missing.join(', ')} after ${mirrorLimit / 1000} s.`);
    await delay(5);
  }
}

/** Starts the shell server as in production, without a backend, and resolves once it has a release of every remote. */
export async function startMeasuredSite({
  folder,
  remotes,
  port,
  releasesFolder = mkdtempSync(path.join(folder, 'releases-')),
}: MeasuredSiteOptions): Promise<MeasuredSite> {
  const options = {
    port: port ?? (await findFreePort()),
    releasesFolder,
    quiet: true,
    ...(remotes ? { remotes } : {}),
  };
  const { address, child } = await startShellServer(options, noBackend);
  await untilComplete(address);
  return { address, pid: child.pid ?? 0, registry: () => readRegistry(address), stop: () => stopChild(child) };
}
