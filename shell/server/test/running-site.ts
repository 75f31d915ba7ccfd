import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Change, Changed, Published, Release, Remote } from '@daybook/contract/release';
import { fileEntry } from '@daybook/testing/builds';
import { queryOnce } from '@daybook/testing/database-roles';
import { integrity, releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { copyReleasesDatabase } from '@daybook/testing/releases-database';
import { type SiteResponse, send } from '@daybook/testing/send';
import { createTemporaryBuilds, type TemporaryBuilds } from '@daybook/testing/temporary-builds';
import { afterAll } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { createShellServer } from '../app.ts';
import { parseEnvironment } from '../environment.ts';

/** The tokens of a test's site, by the name of their holder. */
export const tokens = {
  legal: 'token-of-the-legal-team',
  signup: 'token-of-the-signup-team',
  operator: 'token-of-an-operator-ann',
} as const;
type Holder = keyof typeof tokens;

export const tokenLines = Object.entries({ legal: 'mf-legal', signup: 'mf-signup', operator: '*' })
  .map(([name, remotes]) => `${name} ${remotes} ${hash('sha256', tokens[name as Holder])}`)
  .join('\n');

/** `METRICS_TOKEN` of every running site of a test. */
export const metricsToken = 'metrics-token-of-a-test-site';

export const bearer = (holder: Holder) => ({ Authorization: `Bearer ${tokens[holder]}` });

export const readMetrics = async (url: string): Promise<string> =>
  (await send(url, '/metrics', { headers: { Authorization: `Bearer ${metricsToken}` } })).text;

/** What is sent of a release: its manifest, and contents of files by name. */
export interface Sent {
  readonly manifest: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
}

/** Returns a release whose files have these contents. */
export function sentOf(release: Release, files: Sent['files'] = { [release.entry]: entryOf(release) }): Sent {
  const entries = Object.entries(files).map(([name, content]) => [name, fileEntry(Buffer.from(content))] as const);
  return { manifest: JSON.stringify({ ...release, files: Object.fromEntries(entries) }), files };
}

const entryOf = ({ name, version }: Pick<Release, 'name' | 'version'>) => `entry of ${name}@${version}`;

/** The nth release of a remote, whose only file is its entry. */
export const numbered = (number: number, remote = 'mf-legal', changes: Partial<Release> = {}): Release => {
  const version = versionOf(number);
  const entry = `remoteEntry.${version.slice(-12)}.js`;
  const routes = [routeOf(remote === 'mf-legal' ? '/terms' : '/')];
  return releaseOf(remote, { version, entry, routes, files: { [entry]: { integrity, size: 7 } }, ...changes });
};

/** Returns the body of a release, and its headers. */
export async function bodyOf({ manifest, files }: Sent) {
  const form = new FormData();
  form.append('manifest', new Blob([manifest]), 'release.json');
  for (const [name, content] of Object.entries(files))
    form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), name);
  const response = new Response(form);
  const type = response.headers.get('content-type') ?? '';
  const body = Buffer.from(await response.arrayBuffer());
  return { body, headers: { 'Content-Type': type, 'Content-Length': body.length } };
}

/** A response of the API, with its body parsed. */
export interface Answer<Body> extends SiteResponse {
  readonly json: Body & { readonly errors?: readonly string[] };
}

/** A client of a site's API. */
class TestClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async publish(
    sent: Sent,
    query = '',
    holder: Holder = 'operator',
    remote = JSON.parse(sent.manifest).name,
  ): Promise<Answer<Published>> {
    const { body, headers } = await bodyOf(sent);
    const all = { ...headers, ...bearer(holder) };
    return this.#send(`/${remote}/releases${query}`, { method: 'POST', body, headers: all });
  }

  change(asked: Change, holder: Holder = 'operator'): Promise<Answer<Changed>> {
    const headers = { ...bearer(holder), 'Content-Type': 'application/json' };
    return this.#send('/changes', { method: 'POST', body: JSON.stringify(asked), headers });
  }

  async show(remote = 'mf-legal', holder: Holder = 'operator'): Promise<Remote> {
    return (await this.read<Remote>(`/${remote}`, holder)).json;
  }

  read<Body>(what: string, holder: Holder = 'operator'): Promise<Answer<Body>> {
    return this.#send(what, { headers: bearer(holder) });
  }

  /** Returns the version that visitors get of a remote. */
  async versionOf(remote = 'mf-legal', headers = {}): Promise<string | undefined> {
    const { remotes } = JSON.parse((await send(this.url, '/registry.json', { headers })).text);
    return remotes.find(({ name }: { name: string }) => name === remote)?.version;
  }

  async #send<Body>(path: string, sent: Parameters<typeof send>[2]): Promise<Answer<Body>> {
    const response = await send(this.url, `/_releases/api${path}`, sent);
    return { ...response, json: JSON.parse(response.text) };
  }
}

export type RunningSite = Awaited<ReturnType<typeof startRunningSite>>;

export interface RunningSiteOptions {
  /** Adds the backend's routes. */
  readonly backendCalls?: (backend: FastifyInstance) => void;
  /** Changes the shell's build. */
  readonly prepare?: (site: TemporaryBuilds) => void;
  /** Published at first. */
  readonly releases?: readonly Sent[];
  readonly variables?: Readonly<Record<string, string>>;
  /** By default a new and empty one. */
  readonly database?: string;
}

const onAnyPort = { host: '127.0.0.1', port: 0 };

const running = new Set<() => Promise<void>>();
afterAll(async () => {
  for (const stop of running) await stop();
});

/** Returns the URL of a database on the PostgreSQL of the run, as its owner. */
export const ownerOf = (url: string): string =>
  Object.assign(new URL(process.env.TEST_RELEASES_OWNER_URL ?? ''), { pathname: new URL(url).pathname }).href;

/** Runs a statement on a database as its owner; returns the rows. */
export const queryDatabase = <Row extends object>(url: string, statement: string): Promise<Row[]> =>
  queryOnce(ownerOf(url), statement);

/** Creates an empty database of releases. */
export const newDatabase = (): Promise<string> =>
  copyReleasesDatabase(process.env.TEST_RELEASES_OWNER_URL ?? '', process.env.TEST_RELEASES_URL ?? '');

/** The first release of mf-legal, with the page /terms, and of mf-signup, with the page /. */
export const twoRemotes: readonly Sent[] = [sentOf(numbered(1)), sentOf(numbered(1, 'mf-signup'))];

/** Starts a shell server and a backend on free ports of 127.0.0.1; they stop after the tests of the file. */
export async function startRunningSite({
  backendCalls = () => undefined,
  prepare = () => undefined,
  releases = [],
  variables = {},
  ...options
}: RunningSiteOptions = {}) {
  const site = createTemporaryBuilds();
  prepare(site);
  const backend = Fastify({ bodyLimit: 100_000 });
  backendCalls(backend);
  const tokensFile = path.join(site.folder, 'tokens.txt');
  writeFileSync(tokensFile, tokenLines);
  const database = options.database ?? (await newDatabase());
  const environment = parseEnvironment({
    BACKEND_URL: await backend.listen(onAnyPort),
    TOKENS_FILE: tokensFile,
    RELEASES_DATABASE_URL: database,
    RELEASES_FOLDER: path.join(site.folder, 'releases'),
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...variables,
  });
  const shell = await createShellServer(environment, { shellFolder: site.shellFolder });
  const url = await shell.listen(onAnyPort);
  const client = new TestClient(url);
  /** Removes all releases, also from what the server serves. */
  const empty = async () => {
    const ofRemotes = "DELETE FROM releases.release WHERE remote <> 'shell'";
    await queryDatabase(database, `DELETE FROM releases.state; ${ofRemotes}`);
    await client.show();
  };
  const stop = async () => {
    if (!running.delete(stop)) return;
    await shell.close();
    await backend.close();
    site.remove();
  };
  running.add(stop);
  for (const sent of releases) {
    const { status, text } = await client.publish(sent);
    if (status >= 300) throw new Error(text);
  }
  return { url, client, site, backend, database, releasesFolder: environment.RELEASES_FOLDER, empty, stop };
}
