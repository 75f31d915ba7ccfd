import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Change, Publication, RemoteIndex } from '@daybook/contract/release';
import { ReleasesClient } from '@daybook/releases';
import { expect } from '@playwright/test';
import { builtRelease, type ReleaseVariant } from './builds.ts';
import { hasEnded, stopChild } from './processes.ts';
import { publishRelease } from './publishing.ts';
import { copyReleasesDatabase } from './releases-database.ts';
import { type ShellServerOptions, startShellServer } from './site.ts';
import { openTokens } from './tokens.ts';
import { remotes } from './workspaces.ts';

const longPoll = { timeout: 40_000 };

interface OwnSiteOptions extends Partial<ShellServerOptions> {
  readonly isEmpty?: boolean;
  // By default those of the common site, and of this repository.
  readonly backendUrl?: string;
  readonly tokensFolder?: string;
  readonly remotes?: readonly string[];
}

/**
 * Starts a shell server with releases of its own; at first, visitors get the build of each remote.
 *
 * @param started ends it when it is disposed
 */
export async function startOwnSite(
  started: AsyncDisposableStack,
  {
    isEmpty,
    backendUrl = process.env.BACKEND_URL ?? '',
    tokensFolder = process.env.TOKENS_FOLDER ?? '',
    remotes: names,
    ...options
  }: OwnSiteOptions = {},
) {
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-own-site-')));
  const tokens = openTokens(tokensFolder, names);
  const { DATABASE_URL = '', RELEASES_DATABASE_URL, EMPTY_RELEASES_DATABASE_URL } = process.env;
  const template = (isEmpty ? EMPTY_RELEASES_DATABASE_URL : RELEASES_DATABASE_URL) ?? '';
  const metricsToken = 'metrics-'.repeat(6);
  const { child, url } = await startShellServer(
    {
      releasesFolder: path.join(folder, 'releases'),
      releasesDatabaseUrl: await copyReleasesDatabase(DATABASE_URL, template),
      tokensFile: tokens.file,
      metricsToken,
      output: 'pipe',
      ...options,
      // Visitors state their network: failures count once for each in a minute.
      shellVariables: { TRUSTED_PROXIES: '1', ...options.shellVariables },
    },
    backendUrl,
  );
  started.defer(async () => {
    const exited = hasEnded(child);
    await stopChild(child);
    const { stdout, stderr } = await child;
    if (exited) throw new Error(`The shell server exited during the test:\n${stdout}\n${stderr}`);
  });
  const client = new ReleasesClient(url, tokens.operatorToken);

  const remoteIndex = async (headers: Readonly<Record<string, string>> = {}): Promise<RemoteIndex> =>
    (await fetch(`${url}/registry.json`, { headers })).json();
  /** Returns the version of a remote that a visitor gets, or `undefined`. */
  const versionOf = async (remote: string, headers?: Readonly<Record<string, string>>) =>
    (await remoteIndex(headers)).remotes.find(({ name }) => name === remote)?.version;
  const untilActive = (remote: string, version: string) => expect.poll(() => versionOf(remote), longPoll).toBe(version);
  /** Returns a metric's value by name and labels; 0 if it was not counted yet. */
  const metric = async (name: string, labels: Readonly<Record<string, string>>): Promise<number> => {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const text = await (await fetch(`${url}/metrics`, { headers })).text();
    const wanted = [`${name}{`, ...Object.entries(labels).map(([label, value]) => `${label}="${value}"`)];
    const line = text.split('\n').find((each) => wanted.every((part) => each.includes(part)));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return {
    url,
    tokens,
    remoteIndex,
    versionOf,
    untilActive,
    metric,
    /** Publishes a release with the token of its remote; resolves when all visitors get it, if it is for them. */
    publish: async (variant: ReleaseVariant, publication: Publication = {}) => {
      const { outcome } = await publishRelease(url, tokens, variant, publication);
      if (outcome === 'active') await untilActive(variant.release.name, variant.release.version);
    },
    read: (remote: string) => client.readRemote(remote),
    change: (asked: Change) => client.change(asked),
  };
}
export type OwnSite = Awaited<ReturnType<typeof startOwnSite>>;

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

export const versionNumber = (number: number) => `9.0.${number}-${number.toString(16).padStart(12, '0')}`;
