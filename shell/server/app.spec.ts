import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { fragmentSettings, type PageData, pageDataElementId } from '@daybook/contract/page';
import { dataHeaders } from '@daybook/server';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { type Sent, send } from '@daybook/testing/send';
import { expect, jest, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite } from './test/running-site.ts';

const fragment = 'fragments/terms.00000001.html';
/** A release with HTML for one of its two pages. */
const legal = sentOf(numbered(1, 'mf-legal', { routes: [routeOf('/terms', { fragment }), routeOf('/plain')] }), {
  [numbered(1).entry]: 'entry',
  [fragment]: `<h1>Terms in ${fragmentSettings.year}</h1>`,
});
const legalName = `mf-legal@${versionOf(1)}`;
const legalFolder = `/remotes/mf-legal/${versionOf(1)}`;

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

function pageDataIn(html: string): PageData {
  const json = new RegExp(`id="${pageDataElementId}">(.*?)</script>`).exec(html)?.[1] ?? '';
  return JSON.parse(json) as PageData;
}

const close = 'Connection: close\r\n\r\n';

test.each([
  ['a URL that is too long', `GET /${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
  ['a URL of the API that is too long', `GET /api/${'x'.repeat(5_000)} HTTP/1.1\r\nHost: x\r\n${close}`, 414],
  ['no host', `GET /terms HTTP/1.1\r\n${close}`, 400],
  ['no host, but HTTP/1.0, like some probes', 'GET /readyz HTTP/1.0\r\n\r\n', 200],
  ['another origin', `POST /api/x HTTP/1.1\r\nHost: x\r\nOrigin: https://other.example\r\n${close}`, 403],
  ['an opaque origin', `POST /terms HTTP/1.1\r\nHost: x\r\nOrigin: null\r\n${close}`, 403],
])('a request with %s gets its status with the security headers', async (_what, bytes, status) => {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1');
  socket.write(bytes);
  const response = await text(socket);
  expect(response).toMatch(`HTTP/1.1 ${status}`);
  for (const name of ['X-Content-Type-Options', 'Content-Security-Policy', 'X-Frame-Options', 'Referrer-Policy'])
    expect(response.toLowerCase()).toContain(`${name.toLowerCase()}: `);
  expect(response).not.toMatch(/^(?:server|x-powered-by):/im);
});

test('a site with an https PUBLIC_URL accepts writes from there, and sets HSTS', async () => {
  const { url } = await startRunningSite({ variables: { PUBLIC_URL: 'https://daybook.example' } });
  const post = (Origin: string) => send(url, '/api/nothing', { method: 'POST', headers: { Origin } });
  const responses = [await post('https://daybook.example'), await post('https://other.example')];
  expect(responses.map(({ status }) => status)).toEqual([404, 403]);
  for (const { headers } of [...responses, await send(url, '/healthz'), await send(url, '/nowhere')])
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await get('/healthz')).headers).not.toHaveProperty('strict-transport-security');
});

const notOfApi = `/%41pi/echo /api%2fecho /API/echo //api/echo /api/../healthz /api/%2e%2e/healthz /api/..%2fhealthz
  /api/..%5chealthz /api/echo/../../healthz /api//other.com/../../healthz /x/../api/echo /%2561pi/echo /%%361pi/echo
  /api/caf%E9`;
test.each<[string, string | undefined]>([
  ['/%61pi/echo?email=%61', '/api/echo?email=%61'],
  ['/api/%65cho#x', '/api/echo'],
  ['/api#/../terms', '/api'],
  ['http://other.example/api/echo', '/api/echo'],
  ...notOfApi.split(/\s+/).map((path): [string, undefined] => [path, undefined]),
])('the API is reached by %s as %s', async (path, url) => {
  received = [];
  const { status, headers } = await get(path);
  expect(received).toEqual(url === undefined ? [] : [url]);
  if (url === undefined) return expect(Math.trunc(status / 100)).toBe(4);
  // Every check treats it as what it is.
  expect(headers['content-security-policy']).toBe(dataHeaders['Content-Security-Policy']);
  const rejected = await get(path, { method: 'POST', headers: { Origin: 'https://other.example' } });
  expect(JSON.parse(rejected.text).error).toBe('FOREIGN_ORIGIN');
});

test.each(['/', '/?utm=x', '/terms', '/terms?id=%ZZ', '/%74erms'])('a page is served at %s', async (path) => {
  const { status, headers } = await get(path);
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
});

test.each([
  ['/terms/', '/terms'],
  ['//terms', '/terms'],
  ['///terms///', '/terms'],
  ['/%2fterms', '/terms'],
  ['/%2F/%74erms/', '/terms'],
  ['//', '/'],
  ['/terms/?id=7&next=//other.example', '/terms?id=7&next=//other.example'],
  ['//?to=//other.example/?', '/?to=//other.example/?'],
  ['//terms?id=%ZZ', '/terms?id=%ZZ'],
])('%s, which has extra slashes, is redirected to %s', async (path, url) => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await get(path, { method });
    expect([status, headers.location]).toEqual([308, url]);
    // The path may become a page of another remote.
    expect(headers['cache-control']).toBe('no-cache, no-transform');
  }
});

const unknown = `/nowhere /terms/more /TERMS /api-docs /__proto__ //: //other.example //other.example//terms/
  /%2f%2fother.example/ //other.example/%2e%2e/terms //other.example/..//terms /%5cterms //\\other.example
  //user@other.example/ /% /caf%E9 /%c0%ae /terms/%E9/ http://x/%`;
test.each(unknown.split(/\s+/))('there is no page at %s, and no redirect', async (path) => {
  const { status, text, headers } = await get(path);
  expect([status, headers.location]).toEqual([404, undefined]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
  });
  expect(text).toContain('<title>404 Page Not Found | Daybook</title>');
  // There is nothing to revalidate.
  const method = 'HEAD';
  expect((await get(path, { method, headers: { 'If-None-Match': String(headers.etag) } })).status).toBe(404);
});

test('a page accepts no writes, and is a 304 if it is unchanged', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) expect((await get('/terms', { method })).status).toBe(404);
  const { headers, body } = await get('/terms');
  const head = await get('/terms', { method: 'HEAD' });
  for (const each of [headers, head.headers]) expect(each['content-length']).toBe(String(body.length));
  expect(head.body).toHaveLength(0);
  const etag = String(headers.etag);
  for (const known of [etag, `"other", ${etag}`]) {
    const again = await get('/terms', { headers: { 'If-None-Match': known } });
    expect([again.status, again.text]).toEqual([304, '']);
    // Browsers apply the headers of a 304: the same policy for the same document.
    for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy'])
      expect(again.headers[name]).toBe(headers[name]);
  }
  expect((await get('/terms', { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
});

test.each([
  ['br, gzip, identity', 'br'],
  ['br;q=0.1, gzip;q=1', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['identity;q=0', undefined],
  ['\\;,;q==\t', undefined],
])('a page is compressed for a browser that accepts “%s”: %s', async (accepted, encoding) => {
  const plain = await get('/terms');
  const { headers, body } = await get('/terms', { headers: { 'Accept-Encoding': accepted } });
  expect([headers['content-encoding'], headers.vary]).toEqual([encoding, 'Accept-Encoding']);
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''];
  expect(String(decompress?.(body) ?? body)).toBe(plain.text);
  expect(plain.headers).toMatchObject({ 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
});

test('a page with HTML is whole, one without is counted once', async () => {
  const problems = async () =>
    /^daybook_release_problems_total\{remote="mf-legal",reason="not-composed"\} (\d+)$/m.exec(
      await readMetrics(running.url),
    )?.[1];
  expect((await get('/terms')).text).toContain(
    `<div id="daybook-page"><header>site</header><main><div data-remote="${legalName}"><h1>Terms in ${new Date().getUTCFullYear()}</h1></div></main>`,
  );
  expect(await problems()).toBe('0');
  for (let time = 0; time < 3; time += 1) expect((await get('/plain')).text).toContain('<div id="daybook-page"></div>');
  expect(await problems()).toBe('1');
});

test('a page has the current year (UTC), and another ETag in the next one', async () => {
  const open = async (now: string, etag = '') => {
    // Only the date: the server's timers and sockets continue.
    const doNotFake = [
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'setInterval',
      'setTimeout',
    ] as const;
    jest.useFakeTimers({ now: new Date(now), doNotFake: [...doNotFake] });
    const { status, headers, text } = await get('/terms', { headers: { 'If-None-Match': etag } });
    jest.useRealTimers();
    const years = status === 200 && [/Terms in (\d+)/.exec(text)?.[1], pageDataIn(text).settings.year];
    return { status, etag: String(headers.etag), years };
  };
  const before = await open('2026-12-31T23:59:59.999Z');
  expect(before.years).toEqual(['2026', '2026']);
  expect((await open('2026-12-31T23:59:59.999Z', before.etag)).status).toBe(304);
  expect((await open('2027-01-01T00:00:00.000Z', before.etag)).years).toEqual(['2027', '2027']);
});

test.each(['/assets/shell.0a1b2c3d.js', `${legalFolder}/release.json`])('%s has the headers of data', async (path) => {
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
  ['GET', '/%ZZ'],
  ['GET', `/remotes/${'x'.repeat(200)}/1/x.js`],
  ['POST', '/terms'],
  ['OPTIONS', '/'],
])('%s %s has the security headers', async (method, path) => {
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
