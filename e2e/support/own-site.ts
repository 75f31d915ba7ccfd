import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RemoteIndex } from '@daybook/contract/release';
import { SiteClient } from '@daybook/releases/publish';
import { findFreePort } from '@daybook/runner/ports';
import { type Child, stopChild } from '@daybook/runner/processes';
import { pushRelease } from '@daybook/runner/pushing';
import { builtRelease, type ReleaseVariant } from '@daybook/runner/releases';
import { copyReleasesDatabase, createReleasesDatabase } from '@daybook/runner/releases-database';
import { type ShellServerOptions, startShellServer } from '@daybook/runner/site';
import { openTeamKeys, type TeamKeyPairs } from '@daybook/runner/team-keys';
import { remotes } from '@daybook/runner/workspaces';
import { expect } from '@playwright/test';

/** Polling options with a timeout in ms for busy machines. */
const longPoll = { timeout: 40_000 };

/** Options of the shell server, in addition. */
interface OwnSiteOptions extends Partial<ShellServerOptions> {
  /** Begins without any release. */
  readonly isEmpty?: boolean;
  /** Address of a backend; default: that of the common site. */
  readonly backendUrl?: string;
  /** Folder of the key pairs of its teams; default: that of the common site. */
  readonly keysFolder?: string;
  /** Names of its remotes; default: those of this repository. */
  readonly teams?: readonly string[];
}

/** A shell server of a test, with a registry of its own that begins with the build of each remote. */
export class OwnSite {
  readonly releasesFolder: string;
  readonly operatorToken = 'operator-'.repeat(4);
  readonly keys: TeamKeyPairs;
  readonly #metricsToken = 'metrics-'.repeat(6);
  readonly #folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-own-site-'));
  readonly #options: OwnSiteOptions;
  #port = 0;
  #database = '';
  #server: Child | undefined;

  constructor(options: OwnSiteOptions = {}) {
    this.#options = options;
    this.releasesFolder = options.releasesFolder ?? path.join(this.#folder.path, 'releases');
    this.keys = openTeamKeys(options.keysFolder ?? process.env.TEAM_KEYS_FOLDER ?? this.#folder.path, options.teams);
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  async start(): Promise<void> {
    const { isEmpty, backendUrl = process.env.BACKEND_URL ?? '', keysFolder: _, teams: __, ...options } = this.#options;
    const [owner, template] = [process.env.DATABASE_URL ?? '', process.env.RELEASES_DATABASE_URL ?? ''];
    this.#database ||= await (isEmpty ? createReleasesDatabase : copyReleasesDatabase)(owner, template);
    this.#port ||= await findFreePort();
    const { child } = await startShellServer(
      {
        port: this.#port,
        releasesFolder: this.releasesFolder,
        releasesDatabaseUrl: this.#database,
        teamKeysFile: this.keys.file,
        operatorToken: this.operatorToken,
        metricsToken: this.#metricsToken,
        output: 'ignore',
        ...options,
        // Visitors state their network: failures count once for each in a minute.
        shellVariables: { TRUSTED_PROXIES: '1', ...options.shellVariables },
      },
      backendUrl,
    );
    this.#server = child;
  }

  async kill(): Promise<void> {
    this.#server?.kill('SIGKILL');
    await this.#server;
  }

  async stop(): Promise<void> {
    if (this.#server) await stopChild(this.#server);
    this.#folder.remove();
  }

  /** Pushes a release with the key of its team; resolves when visitors get it, or once it is offered to those of a query. */
  async push(variant: ReleaseVariant, query = ''): Promise<void> {
    const { status } = await pushRelease(this.url, this.keys, variant, query);
    // 409: stored, and nobody gets it.
    if (query !== '') expect(status).toBeLessThan(300);
    if (query === '') await this.untilActive(variant.release.name, variant.release.version);
  }

  /** Returns what operators see of a remote. */
  read(remote: string): Promise<unknown> {
    return new SiteClient(this.url, { token: this.operatorToken }).read(remote);
  }

  /** Makes a deployment of a remote as an operator. */
  async deploy(remote: string, fields: object): Promise<void> {
    await new SiteClient(this.url, { token: this.operatorToken }).deploy(remote, fields);
  }

  async remoteIndex(headers: Readonly<Record<string, string>> = {}): Promise<RemoteIndex> {
    return (await (await fetch(`${this.url}/registry.json`, { headers })).json()) as RemoteIndex;
  }

  /** Returns the version of a remote that a visitor gets, or `undefined`. */
  async versionOf(remote: string, headers?: Readonly<Record<string, string>>): Promise<string | undefined> {
    return (await this.remoteIndex(headers)).remotes.find(({ name }) => name === remote)?.version;
  }

  async untilActive(remote: string, version: string): Promise<void> {
    await expect.poll(() => this.versionOf(remote), longPoll).toBe(version);
  }

  /** Returns a metric's value by name and labels; 0 if it was not counted yet. */
  async metric(name: string, labels: Readonly<Record<string, string>>): Promise<number> {
    const headers = { Authorization: `Bearer ${this.#metricsToken}` };
    const text = await (await fetch(`${this.url}/metrics`, { headers })).text();
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const line = text
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)));
    return Number(line?.split(' ').at(-1) ?? 0);
  }

  async untilCounted(name: string, labels: Readonly<Record<string, string>>): Promise<void> {
    await expect.poll(() => this.metric(name, labels), longPoll).toBeGreaterThan(0);
  }
}

/** Starts a site of its own for a test; it stops when `started` is disposed. */
export async function startOwnSite(started: AsyncDisposableStack, options: OwnSiteOptions = {}): Promise<OwnSite> {
  const site = new OwnSite(options);
  started.defer(() => site.stop());
  await site.start();
  return site;
}

/** A page of each remote: the first one, except where that needs a query. */
export const pathOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(remotes.map((remote) => [remote, builtRelease(remote).routes[0]?.path ?? '/'])),
  'mf-offers': '/ebook-download',
};

/** Returns the nth version that a test generates. */
export const versionNumber = (number: number) => `9.0.${number}-${number.toString(16).padStart(8, '0')}`;
