import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PublicRegistry, releaseFileName } from '@daybook/contract/release';
import { findFreePort } from '@daybook/testing/ports';
import { type Child, stopChild } from '@daybook/testing/processes';
import { builtRelease, type ReleaseVariant, readBuiltRelease } from '@daybook/testing/releases';
import { copyReleasesDatabase } from '@daybook/testing/releases-database';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { expect } from '@playwright/test';

/** Polling options with a timeout in ms for busy machines. */
const longPoll = { timeout: 40_000 };

/** Overrides the origin's response for one file. */
export interface Fault {
  readonly file: string;
  readonly respond: (response: ServerResponse, content: Buffer) => unknown;
}

/** An origin with configurable faults. */
class FaultyOrigin {
  #offered: ReleaseVariant;
  #fault: Fault | undefined;
  #server: Server | undefined;
  #port = 0;
  /** Number of requests of release.json since the last offer. */
  polls = 0;

  constructor(offered: ReleaseVariant) {
    this.#offered = offered;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Offers a release from now on, optionally with a fault. */
  offer(release: ReleaseVariant, fault?: Fault): void {
    this.#offered = release;
    this.#fault = fault;
    this.polls = 0;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => this.#respond(decodeURI(request.url ?? '').slice(1), response));
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Stops and closes all connections; the next start uses the same address. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.#server?.closeAllConnections();
    await closed;
  }

  #respond(file: string, response: ServerResponse): void {
    if (file === releaseFileName) this.polls += 1;
    const { release, files } = this.#offered;
    const content = file === releaseFileName ? Buffer.from(JSON.stringify(release)) : files.get(file);
    if (content && this.#fault?.file === file) this.#fault.respond(response, content);
    else if (!content) response.writeHead(404).end('not found');
    else response.writeHead(200, { 'Content-Length': content.length }).end(content);
  }
}

/** A shell server with a separate release store and a faulty origin for each remote. */
export class FaultySite {
  readonly releasesFolder: string;
  readonly origins: ReadonlyMap<string, FaultyOrigin>;
  readonly operatorToken = 'chaos-'.repeat(6);
  readonly #metricsToken = 'metrics-'.repeat(6);
  readonly #folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-chaos-'));
  #port = 0;
  #database = '';
  #server: Child | undefined;

  /** @param options default: all remotes, and a store in a temporary folder */
  constructor({ of = remotes, releasesFolder }: { of?: readonly string[]; releasesFolder?: string } = {}) {
    this.releasesFolder = releasesFolder ?? path.join(this.#folder.path, 'releases');
    this.origins = new Map(of.map((remote) => [remote, new FaultyOrigin(readBuiltRelease(remote))]));
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

  origin(remote: string): FaultyOrigin {
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
