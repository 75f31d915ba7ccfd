import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Published } from '@daybook/contract/release';
import { fileEntry, writeRelease } from '@daybook/testing/builds';
import { releaseOf } from '@daybook/testing/releases';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ReleasesClient } from './client.ts';
import { publishImage } from './publish-image.ts';
import { readBuild } from './read-build.ts';

type Answer = (response: ServerResponse) => void;

let answers: Answer[];
let requests: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: Buffer }[];
let server: Server;
let site: string;
let client: ReleasesClient;

beforeEach(async () => {
  [answers, requests] = [[], []];
  server = createServer(async (request, response) => {
    requests.push({ url: `${request.url}`, headers: request.headers, body: await buffer(request) });
    answers.shift()?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = new ReleasesClient(site, 'secret');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const folder = makeTemporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const contents = { 'remoteEntry.00000001.js': 'entry', 'same/a.css': 'css', 'same/b.css': 'css' };
const files = new Map(Object.entries(contents).map(([name, content]) => [name, Buffer.from(content)]));
const entries = Object.fromEntries([...files].map(([name, content]) => [name, fileEntry(content)]));
writeRelease(folder, { release: releaseOf('mf-legal', { files: entries }), files });
const build = readBuild(folder);

const published: Published = {
  version: build.release.version,
  outcome: 'active',
  state: null,
  previous: null,
  lines: ['All visitors get it.'],
  preview: '/_preview',
};

const answer =
  (status: number, body: unknown, headers: Record<string, string> = { 'Content-Type': 'application/json' }): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
const reject = (status: number, errors: readonly string[], headers = {}) =>
  answer(status, { statusCode: status, message: 'Rejected', errors }, headers);
const lose: Answer = (response) => response.destroy();

describe('publishing', () => {
  test('sends the manifest first, then each content once', async () => {
    answers.push(answer(201, published));
    expect(await client.publish(build, { percent: 10, base: 'none' })).toEqual(published);
    const [{ url, headers, body }] = requests as [(typeof requests)[number]];
    expect(url).toBe('/_releases/api/mf-legal/releases?percent=10&base=none');
    expect(headers).toMatchObject({ authorization: 'Bearer secret', 'content-length': String(body.length) });
    const sent = { headers: { 'Content-Type': `${headers['content-type']}` } };
    const form = await new Response(new Uint8Array(body), sent).formData();
    const parts = [...form].map(([field, file]) => `${field} ${(file as File).name}`);
    expect(parts).toEqual(['manifest release.json', 'file remoteEntry.00000001.js', 'file same/b.css']);
  });

  test('is repeated once if the response is lost', async () => {
    answers.push(lose, answer(200, published), lose, lose);
    const lines: string[] = [];
    expect(await client.publish(build, {}, (line) => lines.push(line))).toEqual(published);
    expect(lines).toEqual([expect.stringMatching(/can't be reached: .*\. Sending it again\.$/)]);
    await expect(client.publish(build)).rejects.toThrow("can't be reached");
    expect(requests).toHaveLength(4);
  });

  test('waits while the site takes other uploads, not for the next hour', async () => {
    answers.push(reject(429, ['Busy.'], { 'Retry-After': '0' }), answer(201, published));
    expect(await client.publish(build)).toEqual(published);
    answers.push(reject(429, ['Limit reached.'], { 'Retry-After': '1800' }));
    await expect(client.publish(build)).rejects.toThrow('rejects it (429): Limit reached.');
  });
});

const html = { 'Content-Type': 'text/html; charset=utf-8' };

test.each<[string, Answer, string]>([
  ['a page of a proxy', answer(200, '<title>Sign in\n</title>', html), 'release server: 200, text/html, “Sign in”.'],
  ['other JSON', answer(200, { ok: true }), 'release server: 200, application/json, “{"ok":true}”.'],
  ['a redirect', answer(308, '', { Location: 'https://a.example/b' }), 'redirects to https://a.example/b (308)'],
  ['a rejection', reject(422, ['One.', 'Two.']), 'rejects it (422):\n  One.\n  Two.'],
])('%s is an error that says what came', async (_what, response, message) => {
  answers.push(response);
  await expect(client.readAll()).rejects.toThrow(message);
});

test('a token is sent to https, this machine, and a container network if chosen', () => {
  const open = (url: string, options = {}) => new ReleasesClient(url, 'secret', options);
  for (const url of ['https://daybook.example', 'http://localhost:8080', 'http://[::1]:8080'])
    expect(() => open(url)).not.toThrow();
  for (const url of ['http://daybook.example', 'http://localhost.example'])
    expect(() => open(url)).toThrow('it is sent to https: and to this machine only');
  expect(() => open('http://shell:8080', { allowHttp: true })).not.toThrow();
});

describe('an image', () => {
  /** Publishes; returns what is reported. */
  async function publish(token = 'secret'): Promise<readonly string[]> {
    const tokenFile = path.join(folder, 'token');
    writeFileSync(tokenFile, `${token}\n`);
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    await publishImage({ site, folder, tokenFile }, report, async () => undefined);
    return lines;
  }

  test('is published again until the site is ready', async () => {
    const starting = reject(503, ['Starting.']);
    answers.push(starting, starting, lose, answer(200, published));
    expect(await publish()).toEqual([expect.stringMatching(/Starting\. Trying again\.$/), 'All visitors get it.']);
  });

  test('does not fail if its release is held, and fails if it is rejected', async () => {
    answers.push(answer(200, { ...published, outcome: 'held' }), reject(422, ['Its path.']));
    expect(await publish()).toEqual(['All visitors get it.']);
    await expect(publish()).rejects.toThrow('Its path.');
  });

  test('without a token is not published: its team does so from elsewhere', async () => {
    expect(await publish('')).toEqual(['There is no token of mf-legal: its team publishes from elsewhere.']);
  });
});
