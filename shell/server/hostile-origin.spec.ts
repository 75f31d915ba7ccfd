import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Release } from '@daybook/contract/release';
import { type ReleaseSigner, signatureValidity, signRelease } from '@daybook/releases';
import { PostgresRegistry } from '@daybook/releases/server';
import { eventually } from '@daybook/testing/eventually';
import { type ReleasesDatabase, startReleasesDatabase } from '@daybook/testing/releases-database';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { versionOf, wholeRelease } from '../../packages/releases/src/test/release-folder.ts';
import { newSigner } from '../../packages/releases/src/test/signers.ts';
import { createTemporarySite, routeOf, type TemporarySite } from '../../packages/releases/src/test/temporary-site.ts';

// The real server in its own process, with the keys of two teams. One origin is in the hands of others, who also have all
// that its team has ever published: mirror/signed-releases.spec.ts has more cases.

const now = Date.now();
const hour = 60 * 60_000;
const [past, good, next] = [versionOf(1), versionOf(2), versionOf(3)];
const [legalTeam, signupTeam] = [newSigner(), newSigner()];
const trustedKeys = `mf-legal:${legalTeam.publicKey},mf-signup:${signupTeam.publicKey}`;

type Content = Record<string, string>;

/** Returns what `npm run release` publishes at this time. */
async function published(
  version: string,
  signedAt: number,
  { signer = legalTeam, changes = {} }: Partial<Publication> = {},
): Promise<Content> {
  const release = wholeRelease('mf-legal', version, changes);
  const text = JSON.stringify(release);
  const signed = await signRelease(text, 'mf-legal', signer, signedAt);
  return { [release.entry]: version, 'release.json': text, 'release.jws': signed };
}
interface Publication {
  readonly signer: ReleaseSigner;
  readonly changes: Partial<Release>;
}

let database: ReleasesDatabase;
let registry: PostgresRegistry;
let site: TemporarySite;
let folder: string;
let content: Content;
let origin: Server;
let server: ChildProcess;
let address: string;

async function startServer(variables: Readonly<Record<string, string>> = {}): Promise<void> {
  server = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts'), site.shellFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      NODE_ENV: 'production',
      OPERATOR_TOKEN: 'e6a8a76a53f14eb5a1bb0d6cf8b3f7c2',
      TRUSTED_KEYS: trustedKeys,
      PORT: '0',
      HOST: '127.0.0.1',
      BACKEND_URL: 'http://127.0.0.1:9',
      REMOTES: `mf-legal=http://127.0.0.1:${(origin.address() as AddressInfo).port},mf-signup=file:${site.folderOf('mf-signup')}`,
      RELEASES_FOLDER: folder,
      RELEASES_DATABASE_URL: database.shellUrl,
      RELEASES_INTERVAL: '0.05',
      ...variables,
    },
  });
  const lines = createInterface({ input: server.stdout ?? ([] as never) });
  address = await new Promise((resolve) => {
    // Read to its end, so that the server never waits for a reader.
    lines.on('line', (line) => {
      const [, found] = /listens on (http:\S+\d)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
}

async function stopServer(): Promise<void> {
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  database = await startReleasesDatabase();
  registry = new PostgresRegistry(database.shellUrl);
  site = createTemporarySite();
  folder = path.join(site.folder, 'releases');
  const signup = wholeRelease('mf-signup', good);
  const text = JSON.stringify(signup);
  site.write(`mf-signup/${signup.entry}`, good);
  site.write('mf-signup/release.jws', await signRelease(text, 'mf-signup', signupTeam, now));
  origin = createServer((request, response) => {
    const body = content[String(request.url).slice(1)];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  content = await published(good, now - hour);
  await startServer();
  await eventually(async () => expect(await activeReleases()).toEqual({ 'mf-legal': good, 'mf-signup': good }));
});

afterAll(async () => {
  await stopServer();
  origin.closeAllConnections();
  origin.close();
  site.remove();
  await registry.close();
  await database.stop();
});

async function activeReleases(): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${address}/registry.json`, { signal: AbortSignal.timeout(5_000) });
  const { remotes } = (await response.json()) as { remotes: { name: string; version: string }[] };
  return Object.fromEntries(remotes.map(({ name, version }) => [name, version]));
}

const problem = async () => (await registry.read(new Map())).origins['mf-legal']?.problem;

async function expectRejection(reason: string, message: RegExp): Promise<void> {
  await eventually(async () =>
    expect(await problem()).toMatchObject({ reason, message: expect.stringMatching(message) }),
  );
  expect(await activeReleases()).toEqual({ 'mf-legal': good, 'mf-signup': good });
  expect((await fetch(`${address}/mf-legal`)).status).toBe(200);
}

const withoutSignature = ({ 'release.jws': _, ...rest }: Content): Content => rest;
const withText = (signed: Content, text: string): Content => ({
  ...signed,
  'release.jws': `${signed['release.jws']?.split('\n')[0]}\n${text}`,
});

describe('the last good release stays active if its origin offers', () => {
  const { entry } = wholeRelease('mf-legal', next);
  const hostile = JSON.stringify(wholeRelease('mf-legal', next, {}, 'hostile'));

  test.each<[string, () => Promise<Content>, string, RegExp]>([
    [
      'a new release with a replaced file',
      async () => ({ ...(await published(next, now)), [entry]: '1.0.3-0000000X' }),
      'tampered',
      /SHA-384/,
    ],
    [
      'a replaced release.json',
      async () => withText(await published(next, now), hostile),
      'signature',
      /release\.json was changed after/,
    ],
    [
      'a release without a signature',
      async () => withoutSignature(await published(next, now)),
      'signature',
      /^it is not signed/,
    ],
    ['a replayed release of the past', () => published(past, now - 2 * hour), 'signature', /is older than that of/],
    [
      'a release with the key of another team',
      () => published(next, now, { signer: signupTeam }),
      'signature',
      /not one of mf-legal's/,
    ],
    [
      'an expired release',
      () => published(next, now - signatureValidity - hour),
      'signature',
      /^its signature expired on/,
    ],
    [
      'a signed path of another team',
      () => published(next, now, { changes: { routes: [routeOf('/mf-signup')] } }),
      'collision',
      /^its route \/mf-signup belongs to mf-signup/,
    ],
  ])('%s', async (_what, offer, reason, message) => {
    content = await offer();
    await expectRejection(reason, message);
  });
});

test('a restart keeps the memory of signatures, and a new release of the team is activated', async () => {
  await stopServer();
  content = await published(past, now - 2 * hour);
  await startServer();
  await expectRejection('signature', /is older than that of/);
  content = await published(next, now);
  await eventually(async () => expect(await activeReleases()).toHaveProperty('mf-legal', next));
  await eventually(async () => expect(await problem()).toBeNull());
});
