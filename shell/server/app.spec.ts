import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type PageData, pageDataElementId } from '@daybook/contract/page';
import { dataHeaders } from '@daybook/server';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { compressedEntry, integrity, releaseOf, routeOf } from '../../packages/releases/src/test/temporary-site.ts';
import { type RunningSite, sitesOfOneTest, startRunningSite } from './test/running-site.ts';
import { type Sent, send } from './test/send.ts';

const file = { integrity, size: 7 };
const legal = releaseOf('mf-legal', {
  routes: [routeOf('/terms'), routeOf('/hidden', { noIndex: true })],
  files: { ...compressedEntry, 'plain.00000001.css': file },
});
const legalFolder = '/remotes/mf-legal/1.0.0-00000001';
const script = 'console.log("the terms");';

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: (site) => {
      site.release(legal, script);
      site.release(releaseOf('mf-signup', { routes: [routeOf('/')] }));
      site.write('secret.00000001.js', 'outside of everything');
    },
  });
});
afterAll(async () => {
  await running.stop();
});

const startAnother = sitesOfOneTest();

const get = (path: string, sent: Sent = {}) => send(running.address, path, sent);

function pageDataIn(html: string): PageData {
  const json = new RegExp(`id="${pageDataElementId}">(.*?)</script>`).exec(html)?.[1] ?? '';
  return JSON.parse(json) as PageData;
}

describe('a rejected request', () => {
  /** Sends raw bytes, and returns the raw response. */
  async function sendBytes(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
    socket.write(bytes);
    return text(socket);
  }
  const close = 'Connection: close\r\n\r\n';

  test.each([
    ['too long an address', `GET /${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
    ['too long an address of the API', `GET /api/${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
    ['no host', `GET /terms HTTP/1.1\r\n${close}`, 400],
    ['an expectation', `GET /terms HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\n${close}`, 417],
    ['headers without end', `GET /terms HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    [
      'a write from another origin',
      `POST /api/waitlist HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n${close}`,
      403,
    ],
    ['a write to a page from elsewhere', `POST /terms HTTP/1.1\r\nHost: x\r\nOrigin: null\r\n${close}`, 403],
  ])('is rejected with the security headers and no banner: %s', async (_what, bytes, status) => {
    const response = await sendBytes(bytes);
    expect(response).toMatch(`HTTP/1.1 ${status}`);
    for (const name of ['X-Content-Type-Options', 'Content-Security-Policy', 'X-Frame-Options', 'Referrer-Policy'])
      expect(response.toLowerCase()).toContain(`${name.toLowerCase()}: `);
    expect(response).not.toMatch(/^(?:server|x-powered-by):/im);
  });

  test('accepts the public origin, whatever host a proxy sends', async () => {
    const other = await startAnother({ variables: { PUBLIC_URL: 'https://daybook.example' } });
    const post = async (Origin: string) =>
      (await send(other.address, '/api/nothing', { method: 'POST', headers: { Origin } })).status;
    expect([await post('https://daybook.example'), await post('https://evil.example')]).toEqual([404, 403]);
  });

  test('sets HSTS if the site uses https', async () => {
    const other = await startAnother({ variables: { PUBLIC_URL: 'https://daybook.example' } });
    for (const path of ['/healthz', '/nowhere', '/api/nothing'])
      expect((await send(other.address, path)).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await get('/healthz')).headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('a request of the API in another spelling', () => {
  test.each([
    ['/%61pi/echo?email=%61', '/api/echo?email=%61'],
    ['/%41pi/echo', undefined],
    ['/api/%65cho#x', '/api/echo'],
    ['/api#/../terms', '/api'],
    ['http://evil.example/api/echo', '/api/echo'],
    ['/api%2fecho', undefined],
    ['/API/echo', undefined],
    ['//api/echo', undefined],
    ['/api/%2e%2e/healthz', undefined],
    ['/api/../healthz', undefined],
    ['/api/..%2fhealthz', undefined],
    ['/x/../api/echo', undefined],
    ['/%2561pi/echo', undefined],
    ['/%%361pi/echo', undefined],
  ])('%s reaches the API as %s', async (path, url) => {
    const received: string[] = [];
    const site = await startAnother({
      backendCalls: (backend) =>
        backend.all('/*', (request) => {
          if (!request.url.startsWith('/readyz')) received.push(request.url);
          return {};
        }),
    });
    const { status, headers } = await send(site.address, path);
    expect(received).toEqual(url === undefined ? [] : [url]);
    // Judged as what it is, by every check.
    if (url === undefined) expect(status).toBeGreaterThanOrEqual(400);
    else expect(headers['content-security-policy']).toBe(dataHeaders['Content-Security-Policy']);
    const rejected = await send(site.address, path, { method: 'POST', headers: { Origin: 'https://evil.example' } });
    if (url !== undefined) expect(JSON.parse(rejected.text).error).toBe('FOREIGN_ORIGIN');
  });
});

describe('a probe in HTTP/1.0 without a host', () => {
  test.each(['/healthz', '/readyz'])('gets its response: %s', async (path) => {
    const socket = connect(Number(new URL(running.address).port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a page', () => {
  test.each(['/', '/?utm=x', '/terms', '/terms?id=%ZZ', '/%74erms'])('serves %s', async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('has the title of its route', async () => {
    expect((await get('/terms')).text).toContain('<title>Title of /terms | Daybook</title>');
  });

  test('contains registry and settings', async () => {
    const data = pageDataIn((await get('/')).text);
    expect(data.registry.remotes.map(({ entry }) => entry)).toEqual([
      `${legalFolder}/remoteEntry.00000001.js`,
      '/remotes/mf-signup/1.0.0-00000001/remoteEntry.00000001.js',
    ]);
    expect(data.settings.supportAddress).toBe('support@daybook.example');
  });

  test.each([
    '/nowhere',
    '/terms/more',
    '/TERMS',
    '/api-docs',
    '//evil.com',
    '//evil.com/terms',
    '///x',
    '//:',
    '/__proto__',
  ])('responds to %s with a 404 page', async (path) => {
    const { status, text, headers } = await get(path);
    expect(status).toBe(404);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
    });
    expect(text).toContain('<title>404 Page Not Found | Daybook</title>');
    expect(text).toContain('noindex');
  });

  test.each([
    ['/terms/', '/terms'],
    ['/terms//', '/terms'],
    ['//terms', '/terms'],
    ['///terms///', '/terms'],
    ['/%2fterms', '/terms'],
    ['/terms%2F', '/terms'],
    ['/%2F/%74erms/', '/terms'],
    ['//', '/'],
    ['/%2f', '/'],
    ['/terms/?id=7&next=//evil.example', '/terms?id=7&next=//evil.example'],
    ['//?to=//evil.example/?', '/?to=//evil.example/?'],
    ['//terms?id=%ZZ', '/terms?id=%ZZ'],
  ])('redirects %s, which has extra slashes, to %s', async (path, address) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(path, { method });
      expect([status, headers.location]).toEqual([308, address]);
      // The path may become a page of another remote.
      expect(headers['cache-control']).toBe('no-cache, no-transform');
    }
  });

  test.each([
    '//evil.example',
    '//evil.example/terms',
    '//evil.example//terms/',
    '///evil.example',
    '/%2fevil.example',
    '/%2f%2fevil.example/',
    '//evil.example/%2e%2e/terms',
    '//evil.example/..//terms',
    '/%5cterms',
    '//\\evil.example',
    '//user@evil.example/',
    '//nowhere/',
  ])('responds to %s with 404, without a redirect', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([404, undefined]);
  });

  test('is marked noindex if it is not for search engines', async () => {
    expect((await get('/hidden')).text).toContain('<meta name="robots" content="noindex">');
    expect((await get('/terms')).text).not.toContain('noindex');
  });

  test.each(['/terms', '/nowhere'])('responds to HEAD %s like GET, without the body', async (path) => {
    const head = await get(path, { method: 'HEAD' });
    const whole = await get(path);
    expect(head.status).toBe(whole.status);
    expect(head.headers.etag).toBe(whole.headers.etag);
    expect(head.headers['content-length']).toBe(String(whole.body.length));
    expect(head.body).toHaveLength(0);
  });

  test('is revalidated each time, with a 304 if unchanged', async () => {
    const { headers } = await get('/terms');
    expect(headers['cache-control']).toBe('no-cache, no-transform');
    const etag = String(headers.etag);
    for (const known of [etag, `"other", ${etag}`]) {
      const again = await get('/terms', { headers: { 'If-None-Match': known } });
      expect(again.status).toBe(304);
      expect(again.body).toHaveLength(0);
      expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
    }
    expect((await get('/terms', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });

  test('responds with 404, not 304, to a conditional request for an unknown path', async () => {
    const etag = String((await get('/nowhere')).headers.etag);
    expect((await get('/nowhere', { headers: { 'If-None-Match': etag } })).status).toBe(404);
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s for a browser that accepts it', async (encoding, decompress) => {
    const plain = await get('/terms');
    const compressed = await get('/terms', { headers: { 'Accept-Encoding': encoding } });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(compressed.headers['content-encoding']).toBe(encoding);
    expect(compressed.headers.vary).toBe('Accept-Encoding');
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(String(decompress(compressed.body))).toBe(plain.text);
  });
});

describe('every response outside the API', () => {
  test.each([
    ['/assets/shell.0a1b2c3d.js'],
    [`${legalFolder}/remoteEntry.00000001.js`],
    [`${legalFolder}/release.json`],
    ['/assets/..%2fsecret.00000001.js'],
  ])('has the security headers of data: %s', async (path) => {
    expect((await get(path)).headers).toMatchObject({
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test.each([
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['GET', '/healthz'],
    ['GET', '/favicon.svg'],
    ['GET', '/assets/unhashed.js'],
    ['GET', '/%ZZ'],
    ['GET', `/remotes/${'x'.repeat(200)}/1/x.js`],
    ['HEAD', '/terms'],
    ['POST', '/terms'],
    ['OPTIONS', '/'],
  ])('has the security headers: %s %s', async (method, path) => {
    const { headers } = await get(path, { method });
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'(?: 'sha256-\S{44}'){0,2}; style-src 'self'(?: 'sha256-\S{44}')?;.* frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types daybook default$/,
      ),
      'integrity-policy': 'blocked-destinations=(script)',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    });
  });

  test('has security headers with a 304 too', async () => {
    const etag = String((await get('/terms')).headers.etag);
    const { status, headers } = await get('/terms', { headers: { 'If-None-Match': etag } });
    expect(status).toBe(304);
    expect(headers['content-security-policy']).toMatch(/default-src 'none'/);
  });
});

describe('the server', () => {
  test('responds to the liveness probe', async () => {
    const { status, text } = await get('/healthz');
    expect([status, text]).toEqual([200, '{"status":"ok"}']);
  });

  test.each([
    '/%ZZ',
    '/%',
    '//',
    '///',
    '//evil.com',
    '//%',
    '//:',
    '//:80',
    '//[',
    '/\\evil.com',
    '/?',
    '/a?%ZZ',
    '*',
    '/api/%ZZ',
    '/assets/%ZZ',
    '/%ff',
    'http://evil.com/nowhere',
    'http://%/',
  ])('does not fail on the address %s', async (path) => {
    expect((await get(path)).status).toBeLessThan(500);
  });

  test.each(['/%', '/caf%E9', '/%ZZ?email=%61', '/terms%', '/%c0%ae', '/%ed%a0%80', '/terms/%E9/', 'http://x/%'])(
    'responds with the 404 page to a path that does not decode: %s',
    async (path) => {
      const [ofPath, unknown] = [await get(path), await get('/nowhere')];
      expect([ofPath.status, ofPath.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(ofPath.text).toBe(unknown.text);
      expect((await get(path, { method: 'HEAD' })).status).toBe(404);
    },
  );

  test('responds with the 404 page to any path of broken escapes', async () => {
    const piece = fc.constantFrom('%', '%E9', '%ff', '%C3%A9', '%2', 'a', '.', '%25', '%3F');
    const path = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `/${pieces.join('')}`);
    await fc.assert(
      fc.asyncProperty(path, async (broken) => {
        expect((await get(broken)).status).toBe(404);
      }),
      { numRuns: 50 },
    );
  });

  test.each(['/api/%', '/api/caf%E9'])('rejects a path of the API that does not decode: %s', async (path) => {
    const { status, text } = await get(path);
    expect([status, JSON.parse(text).error]).toEqual([400, 'BAD_REQUEST']);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('rejects %s for a page', async (method) => {
    expect((await get('/terms', { method })).status).toBe(404);
  });

  test('serves a new release soon after its origin offers it', async () => {
    const other = await startAnother({
      prepare: (site) => {
        site.release(legal);
        site.release(releaseOf('mf-signup'));
      },
    });
    expect((await send(other.address, '/cookie-policy')).status).toBe(404);
    other.site.release({ ...legal, version: '1.0.1-00000002', routes: [routeOf('/terms'), routeOf('/cookie-policy')] });
    await eventually(async () => expect((await send(other.address, '/cookie-policy')).status).toBe(200));
    expect((await send(other.address, '/terms')).text).toContain('/remotes/mf-legal/1.0.1-00000002/remoteEntry');
  });

  test('starts without any release, and responds with 503 until all remotes have one', async () => {
    const other = await startAnother();
    const { status, headers } = await send(other.address, '/');
    expect([status, headers['retry-after']]).toEqual([503, '10']);
    other.site.release(releaseOf('mf-legal'));
    await eventually(async () => expect((await send(other.address, '/mf-legal')).status).toBe(200));
    expect((await send(other.address, '/')).status).toBe(503);
  });

  test('reloads pages in development only', async () => {
    const development = await startAnother({
      prepare: (site) => site.release(legal),
      variables: { DEVELOPMENT: 'true' },
    });
    expect((await send(development.address, '/terms')).text).toContain('/_development/reload.js');
    expect((await send(development.address, '/_development/reload.js')).headers['content-type']).toMatch(/javascript/);
    expect((await send(development.address, '/assets/shell.0a1b2c3d.js')).headers['cache-control']).toBeUndefined();
    expect((await get('/terms')).text).not.toContain('/_development');
    expect((await get('/_development/reload.js')).status).toBe(404);
  });

  test('serves releases of another site in development, beside a build', async () => {
    const build = `file:${running.site.folderOf('mf-signup')}`;
    const REMOTES = `mf-legal=${running.address}${legalFolder},mf-signup=${build}`;
    const development = await startAnother({ variables: { DEVELOPMENT: 'true', REMOTES } });
    expect(pageDataIn((await send(development.address, '/terms')).text).registry).toEqual(
      pageDataIn((await get('/terms')).text).registry,
    );
    expect((await send(development.address, `${legalFolder}/plain.00000001.css`)).text).toBe(script);
  });

  test('changes the reload version after a build', async () => {
    const development = await startAnother({
      prepare: (site) => site.release(legal),
      variables: { DEVELOPMENT: 'true' },
    });
    const version = async () => JSON.parse((await send(development.address, '/_development/state')).text).version;
    const before = await version();
    expect(await version()).toBe(before);
    const entry = 'remoteEntry.00000002.js';
    development.site.release({ ...legal, version: '1.0.1-00000002', entry, files: { [entry]: file } });
    expect(await version()).not.toBe(before);
  });
});
