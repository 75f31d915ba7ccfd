import { rmSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  compressedEntry,
  integrity,
  prerenderedShell,
  releaseOf,
} from '../../../packages/releases/src/test/temporary-site.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';
import { type Sent, send } from '../test/send.ts';

const legal = releaseOf('mf-legal', {
  files: { ...compressedEntry, 'plain.00000001.css': { integrity, size: 7 } },
});
const legalFolder = '/remotes/mf-legal/1.0.0-00000001';
const script = 'console.log("the terms");';

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: (site) => {
      site.release(legal, script);
      site.write('mf-legal/stray.00000001.js', 'not part of the release');
      site.write('secret.00000001.js', 'outside of everything');
    },
  });
});
afterAll(async () => {
  await running.stop();
});

const get = (path: string, sent: Sent = {}) => send(running.address, path, sent);

describe('a file', () => {
  const asIs = (body: Buffer) => body;
  test.each([
    ['remoteEntry.00000001.js', '', undefined, asIs],
    ['remoteEntry.00000001.js', 'br', 'br', brotliDecompressSync],
    ['remoteEntry.00000001.js', 'gzip', 'gzip', gunzipSync],
    ['plain.00000001.css', 'gzip, br', undefined, asIs],
  ])(
    'of a release, %s, is cached forever; a browser that accepts “%s” gets it as %s',
    async (name, accepted, encoding, read) => {
      const { status, headers, body } = await get(`${legalFolder}/${name}`, {
        headers: { 'Accept-Encoding': accepted },
      });
      expect([status, headers['content-encoding'], String(read(body))]).toEqual([200, encoding, script]);
      expect(headers['content-type']).toMatch(name.endsWith('.js') ? /^application\/javascript/ : /^text\/css/);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers.vary).toMatch(/accept-encoding/i);
      // Shared caches store the response for other visitors.
      expect(headers).not.toHaveProperty('x-request-id');
    },
  );

  test('of another shell version is served by servers of both versions', async () => {
    const next = await startRunningSite({
      prepare: (site) => {
        site.write('shell/later.0a1b2c3e.js', 'later script');
        site.write('shell/later.0a1b2c3e.js.br', brotliCompressSync('later script'));
        const scripts = [{ file: 'later.0a1b2c3e.js', integrity }];
        site.write(
          'shell/shell.json',
          JSON.stringify({ version: '1.0.1-00000002', scripts, styles: [], ...prerenderedShell }),
        );
        rmSync(path.join(site.shellFolder, 'shell.0a1b2c3d.js'));
      },
      registry: running.registry,
    });
    const headers = { 'Accept-Encoding': 'br' };
    const former = await send(next.address, '/assets/shell.0a1b2c3d.js');
    const later = await get('/assets/later.0a1b2c3e.js', { headers });
    await next.stop();
    expect([former.status, later.status]).toEqual([200, 200]);
    expect(former.text).toBe('shell script');
    expect(later.headers['content-encoding']).toBe('br');
    for (const response of [former, later])
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test.each([
    ['/assets/shell.json', '1.0.0-00000001', 'public, max-age=0'],
    [`${legalFolder}/release.json`, '1.0.0-00000001', 'public, max-age=31536000, immutable'],
  ])('that describes others is served for development servers: %s', async (path, version, caching) => {
    const { text, headers } = await get(path);
    expect(JSON.parse(text)).toMatchObject({ version });
    expect(headers['cache-control']).toBe(caching);
  });

  test('with a fixed name is cached for a day', async () => {
    const { status, headers } = await get('/favicon.svg');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(headers['cache-control']).toBe('public, max-age=86400');
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
    expect(status).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each([
    '/assets/../secret.00000001.js',
    '/assets/..%2fsecret.00000001.js',
    '/assets/..%5csecret.00000001.js',
    '/assets/shell.0a1b2c3d.js%00.00000001.js',
    `${legalFolder}/../secret.00000001.js`,
    `${legalFolder}/..%2f..%2fsecret.00000001.js`,
    '/remotes/..%2f..%2f/1.0.0-00000001/secret.00000001.js',
  ])("outside its folder can't be read by %s", async (path) => {
    const { status, text } = await get(path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('outside of everything');
  });
});
