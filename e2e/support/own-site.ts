import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change, Publication, Remote, RemoteIndex } from '@daybook/contract/release';
import { ReleasesClient } from '@daybook/releases';
import { findFreePort } from '@daybook/runner/ports';
import { type Child, stopChild } from '@daybook/runner/processes';
import { pushRelease } from '@daybook/runner/pushing';
import { builtRelease, type ReleaseVariant } from '@daybook/runner/releases';
import { copyReleasesDatabase, createReleasesDatabase } from '@daybook/runner/releases-database';
import { type ShellServerOptions, startShellServer } from '@daybook/runner/site';
import { openTokens, type Tokens } from '@daybook/runner/tokens';
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
  /** Folder of its tokens; default: that of the common site. */
  readonly tokensFolder?: string;
  /** Names of its remotes; default: those of this repository. */
  readonly remotes?: readonly string[];
}

/** A shell server of a test, with a registry of its own that begins with the build of each remote. */
export class OwnSite {
  readonly releasesFolder: string;
  readonly tokens: Tokens;
  readonly #metricsToken = 'metrics-'.repeat(6);
  readonly #folder = mkdtempDisposableSync(path.join(tmpdir(), 'daybook-own-site-'));
  readonly #options: OwnSiteOptions;
  #port = 0;
  #database = '';
  #server: Child | undefined;

  constructor(options: OwnSiteOptions = {}) {
    this.#options = options;
    this.releasesFolder = options.releasesFolder ?? path.join(this.#folder.path, 'releases');
    const folder = options.tokensFolder ?? process.env.TOKENS_FOLDER ?? this.#folder.path;
    this.tokens = openTokens(folder, options.remotes);
  }

  get url(): string {
    return `http://localhost:${this.#port}`;
  }

  async start(): Promise<void> {
    const {
      isEmpty,
      backendUrl = process.env.BACKEND_URL ?? '',
      tokensFolder: _,
      remotes: __,
      ...options
    } = this.#options;
    const [owner, template] = [process.env.DATABASE_URL ?? '', process.env.RELEASES_DATABASE_URL ?? ''];
    this.#database ||= await (isEmpty ? createReleasesDatabase : copyReleasesDatabase)(owner, template);
    this.#port ||= await findFreePort();
    const { child } = await startShellServer(
      {
        port: this.#port,
        releasesFolder: this.releasesFolder,
        releasesDatabaseUrl: this.#database,
        tokensFile: this.tokens.file,
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

  /** Publishes a release with the token of its remote; resolves when all visitors get it, if it is for them. */
  async push(variant: ReleaseVariant, publication: Publication = {}): Promise<void> {
    const { outcome } = await pushRelease(this.url, this.tokens, variant, publication);
    if (outcome === 'active') await this.untilActive(variant.release.name, variant.release.version);
  }

  /** Returns what operators see of a remote. */
  read(remote: string): Promise<Remote> {
    return new ReleasesClient(this.url, this.tokens.operatorToken).readRemote(remote);
  }

  /** Changes what visitors get, as an operator. */
  async change(asked: Change): Promise<void> {
    await new ReleasesClient(this.url, this.tokens.operatorToken).change(asked);
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

/** A fixture that tests of a worker share, such as a site of their own. */
export const perWorker = <Value>(start: (started: AsyncDisposableStack) => Promise<Value>) =>
  [
    async ({}, use: (value: Value) => Promise<void>) => {
      const started = new AsyncDisposableStack();
      await use(await start(started));
      await started.disposeAsync();
    },
    { scope: 'worker' },
  ] as [(fixtures: object, use: (value: Value) => Promise<void>) => Promise<void>, { scope: 'worker' }];

/** A page of each remote: the first one, except where that needs a query. */
export const pathOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(remotes.map((remote) => [remote, builtRelease(remote).routes[0]?.path ?? '/'])),
  'mf-offers': '/ebook-download',
};

/** Returns the nth version that a test generates. */
export const versionNumber = (number: number) => `9.0.${number}-${number.toString(16).padStart(12, '0')}`;
