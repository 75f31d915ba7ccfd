import { hash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newPreviewToken } from '@daybook/releases';
import { eventually } from '@daybook/testing/eventually';
import { releaseOf, routeOf, versionOf, wholeRelease } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { makeTemporaryFolder } from '@daybook/testing/temporary-folder';
import { expect, test } from '@jest/globals';
import { changeRelease, operatorToken, readMetrics } from '../test/operator.ts';
import { legalRelease, prepareTwoRemotes, type RunningSite, startRunningSite } from '../test/running-site.ts';
import { firstChangedPage } from './preview-routes.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const variables = { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' };

const running = await startRunningSite({ prepare: prepareTwoRemotes, variables });
const token = await running.preview(legalRelease(2));

let network = 0;
/** Opens a link, by default from a network of its own: links without a preview are limited. */
const open = ({ url }: RunningSite, path: string, client = `10.${network >> 8}.${network++ & 255}.1`) =>
  send(url, path, { headers: { 'X-Forwarded-For': client } });

/** Returns the cookie that a link sets. */
async function cookieOf(link: string, site = running): Promise<string> {
  const [cookie = ''] = (await open(site, `/_preview/${link}`)).headers['set-cookie'] ?? [];
  return cookie.split(';')[0] ?? '';
}

const get = (path: string, cookie?: string, { url } = running, headers: Record<string, string> = {}) =>
  send(url, path, { headers: { ...(cookie === undefined ? {} : { Cookie: cookie }), ...headers } });
const previewing = async (path: string, headers: Record<string, string> = {}) =>
  get(path, await cookieOf(token), running, headers);
const versionIn = (text: string) => /mf-legal\/([^/]+)\/remoteEntry/.exec(text)?.[1];

/** Headers of each response to a link: neither cached nor indexed nor sent to other sites. */
const notShared = {
  'cache-control': 'no-store, no-transform',
  'x-robots-tag': 'noindex',
  'referrer-policy': 'no-referrer',
};

test('the link sets a cookie until the end of the preview, leads to the page that has changed, and can be left', async () => {
  const { status, headers } = await open(running, `/_preview/${token}`);
  expect([status, headers.location]).toEqual([303, '/terms']);
  const [cookie = ''] = headers['set-cookie'] ?? [];
  // Of the form that the edge passes: deploy/nginx/edge.conf.
  expect(cookie).toMatch(new RegExp(`^preview=${token}\\.[\\w-]{43}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Lax$`));
  const days = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  const left = await get('/_preview/leave', await cookieOf(token));
  expect([left.status, left.headers.location]).toEqual([303, '/']);
  expect(left.headers['set-cookie']).toEqual([expect.stringMatching(/^preview=; .*Expires=Thu, 01 Jan 1970/)]);
  for (const each of [headers, left.headers]) {
    expect(each).toMatchObject(notShared);
    expect(each).not.toHaveProperty('x-accel-expires');
  }
});

test.each([
  ['empty', ''],
  ['a word', 'unknown'],
  ['another token', newPreviewToken()],
  ['the hash of a token', hash('sha256', newPreviewToken(), 'base64url')],
  ['long', 'A'.repeat(4_000)],
  ['encoded slashes', '%2F..%2F..%2F'],
  ['no UTF-8', '%ff'],
  ['a property', '__proto__'],
])('a link that is wrong gets the one page for all of them: %s', async (_what, wrong) => {
  const expected = await open(running, '/_preview/anything');
  expect(expected.text).toContain('There is no preview at this link');
  const { status, text, headers } = await open(running, `/_preview/${wrong}`);
  expect(headers).toMatchObject({ ...notShared, 'content-type': 'text/html; charset=utf-8' });
  expect([status, text, headers['set-cookie']]).toEqual([404, expected.text, undefined]);
});

test.each([
  ['a script of a page', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'empty' }],
  ['a navigation by a page', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Dest': 'document' }],
  ['an image elsewhere', { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'image' }],
])('a link is not opened by %s: a hostile release could keep its visitors', async (_what, headers) => {
  const { status, headers: sent } = await get(`/_preview/${token}`, undefined, running, headers);
  expect([status, sent['set-cookie']]).toEqual([404, undefined]);
});

test('a rollback ends the preview of the remote, whoever has its cookie', async () => {
  const site = await startRunningSite({ prepare: prepareTwoRemotes, variables });
  await site.publish(legalRelease(2));
  const cookie = await cookieOf(await site.preview(legalRelease(3)), site);
  expect(versionIn((await get('/terms', cookie, site)).text)).toBe(versionOf(3));
  await changeRelease(site.url, { remote: 'mf-legal', action: 'rollback' });
  expect(versionIn((await get('/terms', cookie, site)).text)).toBe(first);
});

test('links can be tried 30 times per minute and network without success', async () => {
  const statuses = [];
  for (let times = 0; times < 32; times++) statuses.push((await open(running, '/_preview/guess', '192.0.2.7')).status);
  expect(statuses).toEqual([...Array(30).fill(404), 429, 429]);
  expect((await open(running, '/_preview/guess', '192.0.2.8')).status).toBe(404);
  expect((await open(running, '/terms', '192.0.2.7')).status).toBe(200);
  // A stranger behind the same address does not lock the right link.
  expect((await open(running, `/_preview/${token}`, '192.0.2.7')).status).toBe(303);
});

test.each(['/terms', '/', '/nowhere', '/registry.json'])(
  'with the link opened, %s shows the preview and is not cached or indexed; without it, it is as without a preview',
  async (path) => {
    const published = await get(path);
    expect(published.headers).toMatchObject({ 'cache-control': 'no-cache, no-transform', vary: 'Accept-Encoding' });
    for (const header of ['x-robots-tag', 'set-cookie']) expect(published.headers).not.toHaveProperty(header);
    expect(published.text).not.toMatch(new RegExp(`preview|${second}`));
    // A page of an earlier visit is not taken for that of the preview.
    const { headers, text } = await previewing(path, { 'If-None-Match': String(published.headers.etag) });
    expect(headers).toMatchObject({ 'cache-control': 'no-store, no-transform', 'x-robots-tag': 'noindex' });
    for (const header of ['etag', 'x-accel-expires', 'set-cookie']) expect(headers).not.toHaveProperty(header);
    expect(text).toContain(second);
    expect(text).not.toContain(`mf-legal/${first}/`);
    if (path === '/registry.json') return;
    expect(text).toContain(
      `<body>\n<aside id="preview-bar" aria-label="Preview"><p>Preview of mf-legal ${second}: not published yet.</p></aside>\n<div id="daybook-page">`,
    );
    expect(text).toContain('<a href="/_preview/leave">Leave the preview</a>');
    const [, style = ''] = /<style>(\nbody.*?#preview-bar.*?)<\/style>/s.exec(text) ?? [];
    expect(headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
  },
);

test('a preview is not counted, and not known to search engines', async () => {
  await previewing('/terms');
  const body = JSON.stringify({ remote: 'mf-legal', version: second, kind: 'render', route: '/terms' });
  const headers = { 'Content-Type': 'application/json', Cookie: await cookieOf(token) };
  expect((await send(running.url, '/_reports', { method: 'POST', body, headers })).status).toBe(204);
  expect(await readMetrics(running.url)).not.toContain(`_total{remote="mf-legal",version="${second}"`);
  for (const path of ['/sitemap.xml', '/robots.txt'])
    expect((await previewing(path)).text).toBe((await get(path)).text);
});

test.each([
  ['a word', 'x'],
  ['a token', newPreviewToken()],
  ['that of a link, which a script of the release has set', token],
  ['signed by another', `${token}.${'A'.repeat(43)}`],
  ['long', 'A'.repeat(3_000)],
])('an unknown cookie is removed, and the response is not shared: %s', async (_what, cookie) => {
  const { status, headers, text } = await get('/terms', `preview=${cookie}`);
  expect([status, versionIn(text)]).toEqual([200, first]);
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/^preview=; /)]);
  expect(headers['cache-control']).toBe('private, no-cache, no-transform');
  expect(headers).not.toHaveProperty('x-accel-expires');
});

test('several servers show a preview that one of them has published at once, until an operator ends it', async () => {
  const other = await startRunningSite({
    variables: { ...variables },
    registry: running.registry,
  });
  const link = await running.preview(legalRelease(3));
  expect((await open(other, `/_preview/${link}`)).status).toBe(303);
  // Of the first server.
  const cookie = await cookieOf(link);
  const shown = () => get('/terms', cookie, other);
  expect(versionIn((await shown()).text)).toBe(versionOf(3));
  await changeRelease(other.url, { remote: 'mf-legal', action: 'end' });
  for (const site of [running, other])
    await eventually(async () => expect((await open(site, `/_preview/${link}`)).status).toBe(404));
  const { headers, text } = await shown();
  expect([versionIn(text), headers['set-cookie']]).toEqual([first, [expect.stringMatching(/^preview=; /)]]);
});

test('previews have a link for each remote, Secure with https, and one that an operator activates is what all visitors get', async () => {
  const https = { ...variables, PUBLIC_URL: 'https://daybook.example' };
  const site = await startRunningSite({ prepare: prepareTwoRemotes, variables: https });
  const signup = releaseOf('mf-signup', { version: second, routes: [routeOf('/')] });
  const links = [await site.preview(legalRelease(2)), await site.preview(signup)];
  const cookies = await Promise.all(links.map((link) => cookieOf(link, site)));
  const versions = async (cookie?: string) => {
    const { remotes } = JSON.parse((await get('/registry.json', cookie, site)).text);
    return remotes.map(({ version }: { version: string }) => version);
  };
  for (const link of links)
    expect((await open(site, `/_preview/${link}`)).headers['set-cookie']?.[0]).toMatch(/; Secure; /);
  expect([await versions(cookies[0]), await versions(cookies[1]), await versions()]).toEqual([
    [second, first],
    [first, second],
    [first, first],
  ]);
  // A canary of another remote changes nothing in a preview.
  await changeRelease(site.url, { remote: 'mf-signup', action: 'offer', version: second, percent: '50' });
  expect(JSON.parse((await get('/registry.json', 'bucket=0', site)).text).remotes[1].version).toBe(second);
  expect(await versions(`${cookies[0]}; bucket=0`)).toEqual([second, first]);
  await changeRelease(site.url, { remote: 'mf-signup', action: 'end', audience: 'canary' });
  await changeRelease(site.url, { remote: 'mf-legal', action: 'activate', version: second });
  expect(await versions()).toEqual([second, first]);
  expect((await open(site, `/_preview/${links[0]}`)).status).toBe(404);
});

test('a preview of a remote without a release shows its pages already', async () => {
  const site = await startRunningSite({
    prepare: (folder) => folder.release(releaseOf('mf-signup', { version: first, routes: [routeOf('/')] })),
    variables,
  });
  const link = await site.preview(legalRelease(1));
  expect((await get('/terms', await cookieOf(link, site), site)).status).toBe(200);
  expect((await get('/terms', undefined, site)).status).toBe(503);
});

test('the first page is the first one whose content has changed, or else its title, or else the first one', async () => {
  const folder = makeTemporaryFolder();
  type Page = readonly [path: string, content: string, title?: string];
  /** Writes a release whose pages contain its version, as a build's do. */
  function release(version: string, ...pages: readonly Page[]) {
    const place = path.join(folder, version);
    mkdirSync(place, { recursive: true });
    const routes = pages.map(([url, content, title = url], index) => {
      const fragment = `${index}.html`;
      writeFileSync(path.join(place, fragment), `<h1 class="c${version.split('-')[1]}-heading">${content}</h1>`);
      return { ...routeOf(url, { title }), fragment };
    });
    const pageFile = (name: string) => ({ name, integrity: '', size: 0 });
    return { release: wholeRelease('mf-legal', version, { routes }), folder: place, pageFile };
  }
  const published = release(first, ['/a', '1'], ['/b', '2']);
  const firstPage = (...pages: readonly Page[]) => firstChangedPage(release(second, ...pages), published);
  expect(await firstPage(['/a', '1', 'new'], ['/b', '3'])).toBe('/b');
  expect(await firstPage(['/a', '1'], ['/b', '2', 'new'])).toBe('/b');
  expect(await firstPage(['/a', '1'], ['/c', '2'])).toBe('/c');
  expect(await firstPage(['/a', '1'], ['/b', '2'])).toBe('/a');
  expect(await firstChangedPage(published, undefined)).toBe('/a');
  rmSync(folder, { recursive: true });
});
