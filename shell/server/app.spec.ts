import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { fragmentSettings } from '@daybook/contract/page';
import { dataHeaders } from '@daybook/server';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { type Sent, send } from '@daybook/testing/send';
import { expect, jest, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite } from './test/running-site.ts';

const fragment = 'fragments/terms.00000001.html';
const routes = [routeOf('/terms', { fragment }), routeOf('/plain', { noIndex: true })];
/** A release with HTML for one of its two pages, and the former path of a page. */
const legal = sentOf(numbered(1, 'mf-legal', { routes, redirects: { '/rules': '/terms' } }), {
  [numbered(1).entry]: 'entry',
  [fragment]: `<h1>Terms in ${fragmentSettings.year}</h1>`,
});

/** The addresses of requests that reached the backend. */
let received: string[] = [];
const running = await startRunningSite({
  releases: [legal, sentOf(numbered(1, 'mf-signup'))],
  backendCalls: (backend) =>
    backend.all('/*', ({ url }) => {
      received.push(url);
      return {};
    }),
});

const get = (path: string, sent: Sent = {}) => send(running.url, path, sent);

const close = 'Connection: close\r\n\r\n';

test.each([
  ['a URL that is too long', `GET /${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
  ['no host', `GET /terms HTTP/1.1\r\n${close}`, 400],
  ['another origin', `POST /api/x HTTP/1.1\r\nHost: x\r\nOrigin: https://other.example\r\n${close}`, 403],
])('a request with %s gets its status with the security headers', async (_what, bytes, status) => {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  socket.write(bytes);
  const response = await text(socket);
  expect(response).toMatch(`HTTP/1.1 ${status}`);
  for (const name of ['X-Content-Type-Options', 'Content-Security-Policy', 'X-Frame-Options', 'Referrer-Policy'])
    expect(response.toLowerCase()).toContain(`${name.toLowerCase()}: `);
  expect(response).not.toMatch(/^(?:server|x-powered-by):/im);
});

test.each(['/', '/nowhere', '/healthz', '/favicon.svg'])('%s has the security headers', async (path) => {
  const { headers } = await get(path);
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

test('a site with an https PUBLIC_URL accepts writes from there, and sets HSTS', async () => {
  const { url } = await startRunningSite({ variables: { PUBLIC_URL: 'https://daybook.example' } });
  const post = (Origin: string) => send(url, '/api/nothing', { method: 'POST', headers: { Origin } });
  const responses = [await post('https://daybook.example'), await post('https://other.example')];
  expect(responses.map(({ status }) => status)).toEqual([404, 403]);
  for (const { headers } of [...responses, await send(url, '/healthz')])
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await get('/healthz')).headers).not.toHaveProperty('strict-transport-security');
});

const notOfApi = '/%41pi/echo /api%2fecho //api/echo /api/../healthz /api/..%2fhealthz /api/caf%E9';
test.each(notOfApi.split(' '))('%s does not reach the API', async (path) => {
  received = [];
  const { status } = await get(path);
  expect([Math.trunc(status / 100), received]).toEqual([4, []]);
});

test('an escaped path of the API is checked as what it is', async () => {
  received = [];
  const path = '/%61pi/%65cho?email=%61';
  const { headers } = await get(path);
  expect(received).toEqual(['/api/echo?email=%61']);
  expect(headers['content-security-policy']).toBe(dataHeaders['Content-Security-Policy']);
  const rejected = await get(path, { method: 'POST', headers: { Origin: 'https://other.example' } });
  expect(JSON.parse(rejected.text).error).toBe('FOREIGN_ORIGIN');
});

test.each([
  ['/%2F/%74erms/', 308, '/terms'],
  ['/terms/?id=7&next=//other.example', 308, '/terms?id=7&next=//other.example'],
  ['/rules/?id=7&url=%2F%2Fother.example', 301, '/terms?id=7&url=%2F%2Fother.example'],
])('%s is redirected by %i to %s', async (path, status, url) => {
  const { headers, ...response } = await get(path);
  expect([response.status, headers.location]).toEqual([status, url]);
  // Not for good: the path may become a page again.
  expect(headers['cache-control']).toBe('no-cache, no-transform');
});

const unknown = '/nowhere /TERMS /__proto__ //other.example /%2f%2fother.example/ //other.example/..//terms /caf%E9';
test.each(unknown.split(' '))('there is no page at %s, and no redirect', async (path) => {
  const { status, text, headers } = await get(path);
  expect([status, headers.location]).toEqual([404, undefined]);
  expect(headers['cache-control']).toBe('no-cache, no-transform');
  expect(text).toContain('<title>404 Page Not Found | Daybook</title>');
});

test('the sitemap has the pages of all remotes, without redirects and hidden ones', async () => {
  const { text, headers } = await get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(([, path]) => path);
  expect([paths, headers['content-type']]).toEqual([['/terms', '/'], expect.stringMatching(/xml/)]);
});

test('a page accepts no writes, and is a 304 if it is unchanged', async () => {
  expect((await get('/terms', { method: 'POST' })).status).toBe(404);
  const { headers, body } = await get('/terms');
  const head = await get('/terms', { method: 'HEAD' });
  expect([head.headers['content-length'], head.text]).toEqual([String(body.length), '']);
  const again = await get('/terms', { headers: { 'If-None-Match': `"other", ${headers.etag}` } });
  expect([again.status, again.text]).toEqual([304, '']);
  // Browsers apply the headers of a 304: the same policy for the same document.
  for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy'])
    expect(again.headers[name]).toBe(headers[name]);
});

test('a page is compressed for a browser that accepts it', async () => {
  const plain = await get('/terms');
  const { headers, body } = await get('/terms', { headers: { 'Accept-Encoding': 'br, gzip, identity' } });
  expect([headers['content-encoding'], headers.vary]).toEqual(['br', 'Accept-Encoding']);
  expect(String(brotliDecompressSync(body))).toBe(plain.text);
  expect(plain.headers).toMatchObject({ 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
});

test('a page without HTML is counted once', async () => {
  const problems = async () =>
    /^daybook_release_problems_total\{remote="mf-legal",reason="not-composed"\} (\d+)$/m.exec(
      await readMetrics(running.url),
    )?.[1];
  expect((await get('/terms')).text).toContain(`data-remote="mf-legal@${versionOf(1)}"`);
  expect(await problems()).toBe('0');
  for (let time = 0; time < 3; time += 1) expect((await get('/plain')).text).toContain('<div id="daybook-page"></div>');
  expect(await problems()).toBe('1');
});

test('a page has the current year (UTC), and another ETag in the next one', async () => {
  const open = async (year: number, etag = '') => {
    const clock = jest.spyOn(Date.prototype, 'getUTCFullYear').mockReturnValue(year);
    const { status, headers, text } = await get('/terms', { headers: { 'If-None-Match': etag } });
    clock.mockRestore();
    return { status, etag: String(headers.etag), year: /Terms in (\d+)/.exec(text)?.[1] };
  };
  const before = await open(2026);
  expect(before.year).toBe('2026');
  expect((await open(2026, before.etag)).status).toBe(304);
  expect((await open(2027, before.etag)).year).toBe('2027');
});

test('a new site is ready for its first releases, and says what is missing', async () => {
  const other = await startRunningSite();
  const readiness = async () => {
    const { status, text } = await send(other.url, '/readyz');
    return [status, JSON.parse(text)];
  };
  const { status, headers } = await send(other.url, '/');
  expect([status, headers['retry-after']]).toEqual([503, '10']);
  expect(await readiness()).toMatchObject([200, { remotesWithoutRelease: ['mf-legal', 'mf-signup'] }]);
  await other.client.publish(legal);
  expect([(await send(other.url, '/terms')).status, (await send(other.url, '/')).status]).toEqual([200, 503]);
  // Pages need no backend.
  await other.backend.close();
  const ofBuild = { version: 'unknown', revision: 'unknown' };
  expect(await readiness()).toEqual([200, { status: 'ready', ...ofBuild, remotesWithoutRelease: ['mf-signup'] }]);
});
