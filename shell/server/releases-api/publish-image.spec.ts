import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { publishImage } from '../../../packages/releases/src/publish/publish-image.ts';
import { createKeyFile, readKeyFile } from '../../../packages/releases/src/signature/key-file.ts';
import { bearer, operatorToken } from '../test/operator.ts';
import { described, publicUrl } from '../test/pushing.ts';
import { startRunningSite } from '../test/running-site.ts';

const remote = 'mf-legal';
const [first, second] = [versionOf(1), versionOf(2)];

let folder: string;
let keyFile: string;
beforeEach(() => {
  folder = makeTemporaryFolder();
  keyFile = path.join(folder, 'release-key');
  createKeyFile(keyFile);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function startSite() {
  const TEAM_KEYS = `${remote}:${readKeyFile(keyFile).publicKey}`;
  const { url, registry } = await startRunningSite({ variables: { OPERATOR_TOKEN: operatorToken, TEAM_KEYS } });
  return {
    url,
    versions: async () => (await registry.read(new Map())).deployments.map(({ version }) => version),
    rollBack: () =>
      send(url, `/_releases/api/${remote}/deployments`, {
        method: 'POST',
        headers: { ...bearer, 'Content-Type': 'application/json' },
        body: JSON.stringify({ action: 'rollback' }),
      }),
  };
}

/** Publishes as a container does that starts with the image of a version; returns its log. */
async function startContainer(version: string, site: string, pause?: (ms: number) => Promise<unknown>) {
  const image = path.join(folder, version);
  mkdirSync(image, { recursive: true });
  const release = releaseOf(remote, { version, entry: 'entry.js', routes: [routeOf('/terms')] });
  const { text, parts } = described(release, { 'entry.js': version });
  for (const [name, content] of [...parts, ['release.json', text] as const])
    writeFileSync(path.join(image, name), content);
  const lines: string[] = [];
  await publishImage({ folder: image, site, publicUrl, keyFile }, (line) => void lines.push(line), pause);
  return lines.join('\n');
}

test('a container that starts publishes its release; starting again changes nothing, also after a rollback', async () => {
  const site = await startSite();
  expect(await startContainer(first, site.url)).toContain(`all visitors get ${first} instead of nothing`);
  expect(await startContainer(second, site.url)).toContain(`all visitors get ${second}`);
  expect(await startContainer(second, site.url)).toContain('nothing has changed');
  expect((await site.rollBack()).status).toBe(201);
  expect(await startContainer(second, site.url)).toContain(`${second} was rolled back`);
  expect(await site.versions()).toEqual([first, second, first]);
});

test('it waits for a site that is not ready, longer each time, and logs each reason once', async () => {
  const site = await startSite();
  let requests = 0;
  const busy = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(requests < 4 ? 503 : 429).end('{"message":"The database is down."}');
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
  const pauses: number[] = [];
  const stop = new Error('waited long enough');
  const lines = startContainer(first, url, async (ms) => {
    pauses.push(ms);
    if (pauses.length === 8) throw stop;
  });
  await expect(lines).rejects.toBe(stop);
  busy.close();
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);

  // Nothing listens, and then the site does.
  let waited = 0;
  const log = await startContainer(first, url, async () => {
    waited += 1;
    if (waited === 3) await new Promise<void>((resolve) => redirect(site.url, url).on('listening', resolve));
  });
  expect(log.match(/can't be asked/g)).toHaveLength(1);
  expect(log).toContain(`all visitors get ${first}`);
});

/** Forwards requests to the site, at an address. */
function redirect(site: string, url: string) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const { status, text } = await send(site, request.url ?? '', {
      method: request.method ?? '',
      headers: { ...request.headers, host: new URL(site).host } as unknown as Record<string, string>,
      body,
    });
    response.writeHead(status, { Connection: 'close' }).end(text);
    server.close();
  });
  return server.listen(Number(new URL(url).port), '127.0.0.1');
}

test('it fails with the reason if the site rejects the release', async () => {
  const site = await startSite();
  rmSync(keyFile);
  createKeyFile(keyFile);
  const never = () => Promise.reject(new Error('it waits'));
  await expect(startContainer(first, site.url, never)).rejects.toThrow(/rejects it \(401\): .*not among the keys/);
});

test.each([
  ['a key that is none', 'x', 'holds no private Ed25519 key'],
  ['no file', undefined, "The private key can't be read"],
])('it fails with %s', async (_what, content, reason) => {
  if (content === undefined) rmSync(keyFile);
  else writeFileSync(keyFile, content);
  await expect(startContainer(first, 'http://127.0.0.1:9')).rejects.toThrow(reason);
});

test('it publishes nothing with an empty key, of a team that publishes from elsewhere', async () => {
  expect(readFileSync(keyFile, 'utf8')).toContain('PRIVATE KEY');
  writeFileSync(keyFile, '\n');
  expect(await startContainer(first, 'http://127.0.0.1:9')).toBe(
    'There is no key of mf-legal: its team publishes from elsewhere.',
  );
});
