import { rmSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressedEntry, integrity, releaseOf } from '@daybook/testing/releases';
import { type Sent, send } from '@daybook/testing/send';
import { prerenderedShell } from '@daybook/testing/temporary-builds';
import { expect, test } from '@jest/globals';
import { startRunningSite } from '../test/running-site.ts';

const legal = releaseOf('mf-legal', {
  files: { ...compressedEntry, 'plain.00000001.css': { integrity, size: 7 } },
});
const legalFolder = '/remotes/mf-legal/1.0.0-00000001';
const script = 'console.log("the terms");';
const forever = 'public, max-age=31536000, immutable';

const running = await startRunningSite({
  prepare: (site) => {
    site.release(legal, script);
    site.write('mf-legal/stray.00000001.js', 'not part of the release');
    site.write('secret.00000001.js', 'outside of everything');
  },
});

const get = (path: string, sent: Sent = {}) => send(running.url, path, sent);

const asIs = (body: Buffer) => body;
test.each([
  ['remoteEntry.00000001.js', '', undefined, asIs],
  ['remoteEntry.00000001.js', 'br', 'br', brotliDecompressSync],
  ['remoteEntry.00000001.js', 'gzip', 'gzip', gunzipSync],
  ['plain.00000001.css', 'gzip, br', undefined, asIs],
  ['remoteEntry.00000001.js', '*', 'br', brotliDecompressSync],
  ['remoteEntry.00000001.js', 'br;q=0, *', 'gzip', gunzipSync],
  ['remoteEntry.00000001.js', 'gzip;q=0, br;q=0, *', undefined, asIs],
  ['remoteEntry.00000001.js', '*;q=0', undefined, asIs],
])(
  'a file of a release, %s, is cached forever; accepted as “%s” it is sent as %s',
  async (name, accepted, encoding, read) => {
    const sent = { headers: { 'Accept-Encoding': accepted } };
    const { status, headers, body } = await get(`${legalFolder}/${name}`, sent);
    expect([status, headers['content-encoding'], String(read(body))]).toEqual([200, encoding, script]);
    expect(headers['content-type']).toMatch(name.endsWith('.js') ? /^application\/javascript/ : /^text\/css/);
    expect(headers['cache-control']).toBe(forever);
    expect(headers.vary).toMatch(/accept-encoding/i);
    // Shared caches store the response for other visitors.
    expect(headers).not.toHaveProperty('x-request-id');
  },
);

test('a file of another shell version is served by servers of both versions', async () => {
  const next = await startRunningSite({
    registry: running.registry,
    prepare: (site) => {
      site.write('shell/later.0a1b2c3e.js', 'later script');
      site.write('shell/later.0a1b2c3e.js.br', brotliCompressSync('later script'));
      const scripts = [{ file: 'later.0a1b2c3e.js', integrity }];
      const build = { version: '1.0.1-00000002', scripts, styles: [], ...prerenderedShell };
      site.write('shell/shell.json', JSON.stringify(build));
      rmSync(path.join(site.shellFolder, 'shell.0a1b2c3d.js'));
    },
  });
  const headers = { 'Accept-Encoding': 'br' };
  const former = await send(next.url, '/assets/shell.0a1b2c3d.js');
  const later = await get('/assets/later.0a1b2c3e.js', { headers });
  expect([former.status, former.text]).toEqual([200, 'shell script']);
  expect([later.status, later.headers['content-encoding']]).toEqual([200, 'br']);
  for (const { headers } of [former, later]) expect(headers['cache-control']).toBe(forever);
});

test.each([
  ['/assets/shell.json', 'application/json', 'public, max-age=0'],
  [`${legalFolder}/release.json`, 'application/json', 'public, no-cache'],
  ['/favicon.svg', 'image/svg+xml', 'public, max-age=86400'],
])('a file with a fixed name, %s, is of type %s and has %p', async (path, type, caching) => {
  const { status, text, headers } = await get(path);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    expect.stringContaining(type),
    caching,
  ]);
  // Development servers read what is in a build and in a release.
  if (path.endsWith('.json')) expect(JSON.parse(text)).toMatchObject({ version: '1.0.0-00000001' });
});

test.each([
  '/assets/unhashed.js',
  '/assets/shell.99999999.js',
  `${legalFolder}/stray.00000001.js`,
  `${legalFolder}/__proto__`,
  '/remotes/mf-legal/1.0.0-00000002/remoteEntry.00000001.js',
  '/remotes/mf-nowhere/1.0.0-00000001/remoteEntry.00000001.js',
  '/remotes/__proto__/1.0.0-00000001/remoteEntry.00000001.js',
])('responds to %s with a 404 that no CDN caches', async (path) => {
  const { status, headers } = await get(path);
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
});

test.each([
  '/assets/../secret.00000001.js',
  '/assets/..%2fsecret.00000001.js',
  '/assets/..%5csecret.00000001.js',
  '/assets/shell.0a1b2c3d.js%00.00000001.js',
  `${legalFolder}/../secret.00000001.js`,
  `${legalFolder}/..%2f..%2fsecret.00000001.js`,
  '/remotes/..%2f..%2f/1.0.0-00000001/secret.00000001.js',
])("a file outside its folder can't be read by %s", async (path) => {
  const { status, text } = await get(path);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain('outside of everything');
});
