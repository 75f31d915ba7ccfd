import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { versionOf } from '@daybook/testing/releases';
import { type Sent, send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, sentOf, startRunningSite } from './test/running-site.ts';

const script = 'console.log("the terms");';
const [entry, style] = [numbered(1).entry, 'plain.00000001.css'];
const sent = sentOf(numbered(1), {
  [entry]: script,
  [`${entry}.br`]: brotliCompressSync(script),
  [`${entry}.gz`]: gzipSync(script),
  [style]: script,
});
const folder = `/remotes/mf-legal/${versionOf(1)}`;
const forever = 'public, max-age=31536000, immutable';

const running = await startRunningSite({
  prepare: ({ write }) => {
    write('secret.00000001.js', 'outside of everything');
    write('shell/later.0a1b2c3e.js', 'later');
    write('shell/later.0a1b2c3e.js.br', brotliCompressSync('later'));
  },
  releases: [sent],
});

const get = (path: string, options: Sent = {}) => send(running.url, path, options);

const asIs = (body: Buffer) => body;
test.each([
  [entry, '', undefined, asIs],
  [entry, 'br', 'br', brotliDecompressSync],
  [entry, 'gzip', 'gzip', gunzipSync],
  [style, 'gzip, br', undefined, asIs],
])('the file %s, accepted as “%s”, is sent as %s and cached forever', async (name, accepted, encoding, read) => {
  const { status, headers, body } = await get(`${folder}/${name}`, { headers: { 'Accept-Encoding': accepted } });
  expect([status, headers['content-encoding'], String(read(body))]).toEqual([200, encoding, script]);
  expect(headers['content-type']).toBe(name === style ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8');
  expect(headers['cache-control']).toBe(forever);
  expect(headers.vary).toBe(name === style ? undefined : 'Accept-Encoding');
  // Shared caches store the response for other visitors.
  expect(headers).not.toHaveProperty('x-request-id');
});

test('files of the shell are compressed, those with hashes cached forever', async () => {
  const { headers } = await get('/assets/later.0a1b2c3e.js', { headers: { 'Accept-Encoding': 'br' } });
  expect([headers['content-encoding'], headers['cache-control']]).toEqual(['br', forever]);
  expect((await get('/assets/shell.json')).headers['cache-control']).toBe('public, max-age=0');
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('public, max-age=86400');
});

test('release.json is served byte for byte, and revalidated', async () => {
  const { text, headers } = await get(`${folder}/release.json`);
  expect([text, headers['cache-control']]).toEqual([sent.manifest, 'public, no-cache']);
  expect((await get(`${folder}/release.json`, { headers: { 'If-None-Match': headers.etag } })).status).toBe(304);
});

test.each([
  '/assets/shell.99999999.js',
  `${folder}/__proto__`,
  `/remotes/mf-nowhere/${versionOf(1)}/${entry}`,
  '/assets/..%2fsecret.00000001.js',
  `${folder}/..%2f..%2fsecret.00000001.js`,
])('%s is a 404 that no CDN caches', async (path) => {
  const { status, headers, text } = await get(path);
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  expect(text).not.toContain('outside of everything');
});
