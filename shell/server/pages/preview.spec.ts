import { hash } from 'node:crypto';
import { routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { numbered, readMetrics, sentOf, startRunningSite, twoRemotes } from '../test/running-site.ts';

// Which releases a preview shows is in site.spec.ts.

const [first, second] = [versionOf(1), versionOf(2)];
const link = `/_preview/mf-legal/${second}`;
const cookie = `preview=mf-legal@${second}`;
const site = await startRunningSite({ variables: { TRUSTED_PROXIES: '1' }, releases: twoRemotes });
await site.client.publish(sentOf(numbered(2)), '?keep=true');

const get = (path: string, Cookie?: string, headers: Record<string, string> = {}, { url } = site) =>
  send(url, path, { headers: { ...headers, ...(Cookie && { Cookie }) } });
const removesCookie = [expect.stringMatching(/^preview=; .*Expires=Thu, 01 Jan 1970/)];
/** Neither cached nor indexed nor sent to other sites. */
const notShared = {
  'cache-control': 'no-store, no-transform',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};

test('the link sets a cookie for the session, and leads to a page', async () => {
  const { status, headers } = await get(link);
  expect([status, headers.location]).toEqual([303, '/terms']);
  expect(headers['set-cookie']).toEqual([`${cookie}; Path=/; HttpOnly; SameSite=Lax`]);
  expect(headers).toMatchObject(notShared);
});

test('a link without a preview says so', async () => {
  const { status, headers, text } = await get(`/_preview/mf-legal/${versionOf(9)}`);
  expect([status, headers['set-cookie']]).toEqual([404, undefined]);
  expect(text).toContain('There is no preview at this link');
  expect(headers).toMatchObject(notShared);
});

test.each(['/terms', '/registry.json'])('a preview of %s is not cached or indexed', async (path) => {
  const published = await get(path);
  expect(published.text).not.toMatch(new RegExp(`preview|${second}`));
  const { headers, text } = await get(path, cookie, { 'If-None-Match': String(published.headers.etag) });
  expect(headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-robots-tag': 'noindex' });
  for (const header of ['etag', 'x-accel-expires', 'set-cookie']) expect(headers).not.toHaveProperty(header);
  expect([text.includes(second), text.includes(`mf-legal/${first}/`)]).toEqual([true, false]);
});

test('every page of a preview begins with a bar that says so, and how to leave', async () => {
  const { headers, text } = await get('/', `preview=junk; ${cookie}`);
  expect(text).toContain(`<body>\n<aside id="preview-bar" aria-label="Preview"><p>Preview of mf-legal ${second}:`);
  expect(text).toContain('<a href="/_preview/leave">Leave the preview</a>');
  const [, style = ''] = /<style>(\nbody.*?#preview-bar.*?)<\/style>/s.exec(text) ?? [];
  expect(headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
  const left = await get('/_preview/leave', cookie);
  expect([left.status, left.headers.location, left.headers['set-cookie']]).toEqual([303, '/', removesCookie]);
});

test('the bar of the active release does not say that visitors get another one', async () => {
  expect((await get('/', cookie)).text).toContain(`${second}: not what visitors get.`);
  expect((await get('/', `preview=mf-legal@${first}`)).text).toContain(`${first}: what visitors get.`);
});

test('a preview is not counted', async () => {
  await get('/terms', cookie);
  const body = JSON.stringify({ remote: 'mf-legal', version: second, kind: 'render', route: '/terms' });
  const headers = { 'Content-Type': 'application/json', Cookie: cookie };
  expect((await send(site.url, '/_reports', { method: 'POST', body, headers })).status).toBe(204);
  expect(await readMetrics(site.url)).not.toContain(`_total{remote="mf-legal",version="${second}"`);
});

test('wrong links are limited to 30 a minute and network, the right one is not', async () => {
  const from = async (network: string, path = '/_preview/mf-legal/guess') =>
    (await get(path, undefined, { 'X-Forwarded-For': network })).status;
  const statuses = [];
  for (let times = 0; times < 32; times++) statuses.push(await from('192.0.2.7'));
  expect(statuses).toEqual([...Array(30).fill(404), 429, 429]);
  const others = [await from('192.0.2.8'), await from('192.0.2.7', '/terms'), await from('192.0.2.7', link)];
  expect(others).toEqual([404, 200, 303]);
});

test.each(['@', `mf-legal@${versionOf(9)}`])('a cookie without a preview is removed: %s', async (value) => {
  const { status, headers, text } = await get('/terms', `preview=${value}`);
  expect([status, headers['set-cookie']]).toEqual([200, removesCookie]);
  expect(text).toContain(`/remotes/mf-legal/${first}/`);
  expect(headers['cache-control']).toBe('private, no-cache, no-transform');
  expect(headers).not.toHaveProperty('x-accel-expires');
});

test('a link leads to the first page that has changed', async () => {
  const release = (number: number, a: string, b: string) => {
    const routes = [routeOf('/a', { hash: a.repeat(12) }), routeOf('/b', { hash: b.repeat(12) })];
    return sentOf(numbered(number, 'mf-legal', { routes }));
  };
  const other = await startRunningSite({ releases: [release(1, '1', '2')] });
  await other.client.publish(release(2, '1', '3'), '?keep=true');
  expect((await get(link, undefined, {}, other)).headers.location).toBe('/b');
});
