import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Published, releaseSchema } from '@daybook/contract/release';
import { fileEntry, writeRelease } from '@daybook/testing/builds';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ReleasesClient } from './client.ts';
import { readBuild } from './read-build.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answers: Answer[];
let requests: { readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: Buffer }[];
let server: Server;
let client: ReleasesClient;
let folder: string;

beforeEach(async () => {
  [answers, requests, folder] = [[], [], makeTemporaryFolder()];
  server = createServer(async (request, response) => {
    requests.push({ url: `${request.url}`, headers: request.headers, body: await buffer(request) });
    answers.shift()?.(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new ReleasesClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'secret');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const version = '1.0.0-3f9ac2d10b7e';
const published: Published = {
  version,
  outcome: 'active',
  state: null,
  previous: null,
  lines: ['All visitors get it.'],
  preview: `/_preview/mf-legal/${version}`,
};

const answer =
  (status: number, body: unknown, headers: Record<string, string> = { 'Content-Type': 'application/json' }): Answer =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

const build = () => {
  const files = new Map([
    ['remoteEntry.js', Buffer.from('entry')],
    ['same/a.css', Buffer.from('css')],
    ['same/b.css', Buffer.from('css')],
  ]);
  const release = releaseSchema.parse({
    name: 'mf-legal',
    version,
    api: 1,
    entry: 'remoteEntry.js',
    routes: [{ path: '/terms', title: 'Terms', description: 'Terms', frame: 'site', files: [] }],
    files: Object.fromEntries([...files].map(([name, content]) => [name, fileEntry(content)])),
  });
  writeRelease(folder, { release, files });
  return readBuild(folder);
};

describe('publishing', () => {
  test('sends the manifest first, then each content once', async () => {
    answers.push(answer(201, published));
    expect(await client.publish(build(), { percent: 10, base: 'none' })).toEqual(published);
    const [{ url, headers, body }] = requests as [(typeof requests)[number]];
    expect(url).toBe('/_releases/api/mf-legal/releases?percent=10&base=none');
    expect(headers).toMatchObject({ authorization: 'Bearer secret', 'content-length': String(body.length) });
    const form = await new Response(new Uint8Array(body), {
      headers: { 'Content-Type': `${headers['content-type']}` },
    }).formData();
    const parts = [...form].map(([field, file]) => `${field} ${(file as File).name}`);
    expect(parts).toEqual(['manifest release.json', 'file remoteEntry.js', 'file same/b.css']);
  });

  test('is repeated once if the response is lost', async () => {
    const lose: Answer = (response) => response.destroy();
    answers.push(lose, answer(200, published), lose, lose);
    const lines: string[] = [];
    expect(await client.publish(build(), {}, (line) => lines.push(line))).toEqual(published);
    expect(lines).toEqual([expect.stringMatching(/can't be reached: .*\. Sending it again\.$/)]);
    await expect(client.publish(build())).rejects.toThrow("can't be reached");
    expect(requests).toHaveLength(4);
  });

  test('waits while the site takes other uploads, not for the next hour', async () => {
    const busy = { statusCode: 429, message: 'Busy', errors: ['Busy.'] };
    answers.push(answer(429, busy, { 'Retry-After': '0' }), answer(201, published));
    expect(await client.publish(build())).toEqual(published);
    const limit = { statusCode: 429, message: 'Limit', errors: ['Limit reached: 60 releases an hour.'] };
    answers.push(answer(429, limit, { 'Retry-After': '1800' }));
    await expect(client.publish(build())).rejects.toThrow('rejects it (429): Limit reached: 60 releases an hour.');
  });
});

const html = { 'Content-Type': 'text/html; charset=utf-8' };

test.each<[string, Answer, string]>([
  ['a page of a proxy', answer(200, '<title>Sign in\n</title>', html), 'release server: 200, text/html, “Sign in”.'],
  ['other JSON', answer(200, { ok: true }), 'release server: 200, application/json, “{"ok":true}”.'],
  ['a redirect', answer(308, '', { Location: 'https://a.example/b' }), 'redirects to https://a.example/b (308)'],
  [
    'a rejection',
    answer(422, { statusCode: 422, message: 'Invalid', errors: ['One.', 'Two.'] }),
    'rejects it (422):\n  One.\n  Two.',
  ],
])('%s is an error that says what came', async (_what, response, message) => {
  answers.push(response);
  await expect(client.readAll()).rejects.toThrow(message);
});

describe('a token', () => {
  const open = (site: string, options = {}) => new ReleasesClient(site, 'secret', options);

  test('is sent to https and to this machine only', () => {
    for (const site of ['https://daybook.example', 'http://localhost:8080', 'http://[::1]:8080'])
      expect(() => open(site)).not.toThrow();
    for (const site of ['http://daybook.example', 'http://localhost.example'])
      expect(() => open(site)).toThrow('it is sent to https: and to this machine only');
  });

  test('is sent inside of a container network if that is chosen', () => {
    expect(() => open('http://shell:8080', { allowHttp: true })).not.toThrow();
  });
});
