import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PublicRegistry, releaseFileName } from '@daybook/contract/release';
import { OriginServer, type Served, servedOf } from '@daybook/testing/origin-server';
import { findFreePort } from '@daybook/testing/ports';
import { type Child, stopChild } from '@daybook/testing/processes';
import { builtRelease, type ReleaseVariant, readBuiltRelease } from '@daybook/testing/releases';
import { copyReleasesDatabase } from '@daybook/testing/releases-database';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { expect } from '@playwright/test';

/** Polling options with a timeout in ms for busy machines. */
const longPoll = { timeout: 40_000 };

/** An origin whose release a test replaces. */
class OfferingOrigin extends OriginServer {
  offer(release: ReleaseVariant): void {
    this.serve(servedOf(release));
  }

  /** Serves what is no good release. */
  serve(served: Served): void {
    this.served = served;
    this.requested = [];
  }

  /** Number of requests of release.json since the last offer. */
  get polls(): number {
    return this.requested.filter((file) => file === releaseFileName).length;
  }
}

/** A shell server with a separate release store and an origin for each remote. */
export class FaultySite {
  readonly releasesFolder: string;
  readonly origins: ReadonlyMap<string, OfferingOrigin>;
  readonly operatorToken = 'chaos-'.repeat(6);
  readonly #metricsToken = 'metrics-'.repeat(6);
  readonly #folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-chaos-'));
  #port = 0;
  #database = '';
  #server: Child | undefined;

  /** @param options default: all remotes, and a store in a temporary folder */
  constructor({ of = remotes, releasesFolder }: { of?: readonly string[]; releasesFolder?: string } = {}) {
    this.releasesFolder = releasesFolder ?? path.join(this.#folder.path, 'releases');
    this.origins = new Map(of.map((remote) => [remote, new OfferingOrigin()]));
    for (const [remote, origin] of this.origins) origin.offer(readBuiltRelease(remote));
  }

  /** Starts the origins and the server; resolves once it has a release of each. */
  async start(): Promise<void> {
    await this.startOrigins();
    await this.startServer();
    await untilMirrored(this.address);
  }

  get address(): string {
    return `http://localhost:${this.#port}`;
  }

  origin(remote: string): OfferingOrigin {
    const origin = this.origins.get(remote);
    if (!origin) throw new Error(`There is no origin of ${remote}.`);
    return origin;
  }

  async startOrigins(): Promise<void> {
    for (const origin of this.origins.values()) await origin.start();
  }

  /** Address of the site's own database, with the role of the shell server. */
  get releasesDatabaseUrl(): string {
    return this.#database;
  }

  async startServer(): Promise<void> {
    this.#database ||= await copyReleasesDatabase(
      process.env.DATABASE_URL ?? '',
      process.env.RELEASES_DATABASE_URL ?? '',
    );
    this.#port ||= await findFreePort();
    const { child } = await startShellServer({
      port: this.#port,
      remotes: [...this.origins].map(([remote, { address }]) => `${remote}=${address}`).join(','),
      releasesFolder: this.releasesFolder,
      releasesDatabaseUrl: this.#database,
      releasesInterval: 0.2,
      operatorToken: this.operatorToken,
      metricsToken: this.#metricsToken,
      // Visitors state their network: failures count once for each in a minute.
      shellVariables: { TRUSTED_PROXIES: '1' },
      output: 'ignore',
    });
    this.#server = child;
  }

  async killServer(): Promise<void> {
    this.#server?.kill('SIGKILL');
    await this.#server;
  }

  async stop(): Promise<void> {
    if (this.#server) await stopChild(this.#server);
    for (const origin of this.origins.values()) await origin.stop();
    this.#folder.remove();
  }

  async registry(): Promise<PublicRegistry> {
    return (await (await fetch(`${this.address}/registry.json`)).json()) as PublicRegistry;
  }

  /** Returns the active version of a remote, or `undefined`. */
  async activeVersion(remote: string): Promise<string | undefined> {
    return (await this.registry()).remotes.find(({ name }) => name === remote)?.version;
  }

  async untilActive(remote: string, version: string): Promise<void> {
    await expect.poll(() => this.activeVersion(remote), longPoll).toBe(version);
  }

  /** Returns a metric's value by name and labels; 0 if it was not counted yet. */
  async metric(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
    const headers = { Authorization: `Bearer ${this.#metricsToken}` };
    const text = await (await fetch(`${this.address}/metrics`, { headers })).text();
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  async untilCounted(name: string, labels: Readonly<Record<string, string>>, above = 0): Promise<void> {
    await expect.poll(() => this.metric(name, labels), longPoll).toBeGreaterThan(above);
  }
}

/** A page of each remote: the first one, except where that needs a query. */
export const pathOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(remotes.map((remote) => [remote, builtRelease(remote).routes[0]?.path ?? '/'])),
  'mf-offers': '/ebook-download',
};

/** Returns the nth version that a test generates. */
export const versionNumber = (number: number) => `9.0.${number}-${number.toString(16).padStart(8, '0')}`;
