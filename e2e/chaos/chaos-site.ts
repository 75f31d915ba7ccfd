import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Registry } from '@daybook/contract';
import { findFreePort } from '@daybook/testing/ports';
import { type Child, stopChild } from '@daybook/testing/processes';
import { type ReleaseVariant, readBuiltRelease } from '@daybook/testing/releases';
import { startShellServer } from '@daybook/testing/site';
import { FaultyOrigin } from './faulty-origin.ts';

/** Waits until a check holds, for at most `limit` ms. */
export async function until(what: string, check: () => boolean | Promise<boolean>, limit = 40_000): Promise<void> {
  const end = Date.now() + limit;
  while (!(await check())) {
    if (Date.now() > end) throw new Error(`not within ${limit / 1000} s: ${what}`);
    await delay(25);
  }
}

/** A shell server with a release store of its own, in front of an origin for each remote that can be made to fail. */
export class ChaosSite {
  readonly folder: string;
  readonly releasesFolder: string;
  readonly origins: ReadonlyMap<string, FaultyOrigin>;
  readonly built: ReadonlyMap<string, ReleaseVariant>;
  readonly operatorToken = 'chaos-'.repeat(6);
  #port = 0;
  #server: Child | undefined;

  /** @param releasesFolder where the store is; in a temporary folder where left out */
  constructor(remotes: readonly string[], releasesFolder?: string) {
    this.folder = mkdtempSync(path.join(tmpdir(), 'daybook-chaos-'));
    this.releasesFolder = releasesFolder ?? path.join(this.folder, 'releases');
    this.built = new Map(remotes.map((remote) => [remote, readBuiltRelease(remote)]));
    this.origins = new Map([...this.built].map(([remote, built]) => [remote, new FaultyOrigin(built)]));
  }

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  get server(): Child | undefined {
    return this.#server;
  }

  origin(remote: string): FaultyOrigin {
    const origin = this.origins.get(remote);
    if (!origin) throw new Error(`There is no origin of ${remote}.`);
    return origin;
  }

  async startOrigins(): Promise<void> {
    for (const origin of this.origins.values()) await origin.start();
  }

  async startServer(): Promise<void> {
    this.#port ||= await findFreePort();
    const remotes = [...this.origins].map(([remote, { address }]) => `${remote}=${address}`).join(',');
    const { child } = await startShellServer(
      {
        port: this.#port,
        remotes,
        releasesFolder: this.releasesFolder,
        releasesInterval: 0.2,
        operatorToken: this.operatorToken,
        quiet: true,
      },
      // Nothing listens there: no page of this run needs the backend to be shown.
      'http://127.0.0.1:9',
    );
    this.#server = child;
  }

  async stopServer(): Promise<void> {
    if (this.#server) await stopChild(this.#server);
  }

  async stop(): Promise<void> {
    await this.stopServer();
    for (const origin of this.origins.values()) await origin.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async registry(): Promise<Registry> {
    return (await (await fetch(`${this.address}/registry.json`)).json()) as Registry;
  }

  /** The version of a remote that visitors get; `undefined` where there is none. */
  async activeVersion(remote: string): Promise<string | undefined> {
    return (await this.registry()).remotes.find(({ name }) => name === remote)?.version;
  }

  async untilActive(remote: string, version: string): Promise<void> {
    await until(`${remote}@${version} is active`, async () => (await this.activeVersion(remote)) === version);
  }

  /** Reads a metric's value by its name and labels; 0 where it has not been counted yet. */
  async metric(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
    const headers = { Authorization: `Bearer ${this.operatorToken}` };
    const text = await (await fetch(`${this.address}/metrics`, { headers })).text();
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)));
    return Number(line?.split(' ').at(-1) ?? 0);
  }
}
