import { hash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newPreviewToken } from '@daybook/releases';
import { eventually } from '@daybook/testing/eventually';
import { beforeAll, expect, test } from '@jest/globals';
import { versionOf, wholeRelease } from '../../../packages/releases/src/test/release-folder.ts';
import { makeTemporaryFolder } from '../../../packages/releases/src/test/temporary-folder.ts';
import { releaseOf, routeOf } from '../../../packages/releases/src/test/temporary-site.ts';
import { changeRelease, operatorToken, readMetrics } from '../test/operator.ts';
import { publishPreview } from '../test/previews.ts';
import { legalRelease, prepareTwoRemotes, type RunningSite, startRunningSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';
import { firstChangedPage } from './preview-routes.ts';

const [first, second] = [versionOf(1), versionOf(2)];
const variables = { OPERATOR_TOKEN: operatorToken, TRUSTED_PROXIES: '1' };

const running = await startRunningSite({ prepare: prepareTwoRemotes, variables });
const token = await publishPreview(running.site, legalRelease(2));
beforeAll(() => untilShown(running, token));

let network = 0;
/** Opens a link, by default from a network of its own: links without a preview are limited. */
const open = ({ address }: RunningSite, path: string, client = `10.${network >> 8}.${network++ & 255}.1`) =>
  send(address, path, { headers: { 'X-Forwarded-For': client } });

const untilShown = (site: RunningSite, of: string) =>
  eventually(async () => expect((await open(site, `/_preview/${of}`)).status).toBe(303));

const get = (path: string, cookie?: string, { address } = running, headers: Record<string, string> = {}) =>
  send(address, path, { headers: { ...(cookie === undefined ? {} : { Cookie: cookie }), ...headers } });
const previewing = (path: string, headers: Record<string, string> = {}) =>
  get(path, `preview=${token}`, running, headers);
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
  expect(cookie).toMatch(new RegExp(`^preview=${token}; Path=/; Expires=[^;]+; HttpOnly; SameSite=Lax$`));
  const days = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  const left = await get('/_preview/leave', `preview=${token}`);
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
  const headers = { 'Content-Type': 'application/json', Cookie: `preview=${token}` };
  expect((await send(running.address, '/_reports', { method: 'POST', body, headers })).status).toBe(204);
  expect(await readMetrics(running.address)).not.toContain(`_total{remote="mf-legal",version="${second}"`);
  for (const path of ['/sitemap.xml', '/robots.txt'])
    expect((await previewing(path)).text).toBe((await get(path)).text);
});

test.each([
  ['a word', 'x'],
  ['a token', newPreviewToken()],
  ['long', 'A'.repeat(3_000)],
])('an unknown cookie is removed, and the response is not shared: %s', async (_what, cookie) => {
  const { status, headers, text } = await get('/terms', `preview=${cookie}`);
  expect([status, versionIn(text)]).toEqual([200, first]);
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/^preview=; /)]);
  expect(headers['cache-control']).toBe('private, no-cache, no-transform');
  expect(headers).not.toHaveProperty('x-accel-expires');
});

test('several servers show a preview that one of them has found at once, until an operator ends it', async () => {
  // Its origins are empty folders.
  const other = await startRunningSite({
    variables: { ...variables },
    registry: running.registry,
  });
  expect((await open(other, `/_preview/${token}`)).status).toBe(303);
  const shown = () => get('/terms', `preview=${token}`, other);
  expect(versionIn((await shown()).text)).toBe(second);
  await changeRelease(other.address, { remote: 'mf-legal', action: 'end' });
  for (const site of [running, other])
    await eventually(async () => expect((await open(site, `/_preview/${token}`)).status).toBe(404));
  const { headers, text } = await shown();
  expect([versionIn(text), headers['set-cookie']]).toEqual([first, [expect.stringMatching(/^preview=; /)]]);
});

test('previews have a link for each remote, Secure with https, and one that an operator activates is what all visitors get', async () => {
  const https = { ...variables, PUBLIC_URL: 'https://daybook.example' };
  const site = await startRunningSite({ prepare: prepareTwoRemotes, variables: https });
  const signup = releaseOf('mf-signup', { version: second, routes: [routeOf('/')] });
  const links = [await publishPreview(site.site, legalRelease(2)), await publishPreview(site.site, signup)];
  const versions = async (link?: string) => {
    const { remotes } = JSON.parse((await get('/registry.json', link && `preview=${link}`, site)).text);
    return remotes.map(({ version }: { version: string }) => version);
  };
  for (const link of links) {
    await untilShown(site, link);
    expect((await open(site, `/_preview/${link}`)).headers['set-cookie']?.[0]).toMatch(/; Secure; /);
  }
  expect([await versions(links[0]), await versions(links[1]), await versions()]).toEqual([
    [second, first],
    [first, second],
    [first, first],
  ]);
  // A canary of another remote changes nothing in a preview.
  await changeRelease(site.address, { remote: 'mf-signup', action: 'offer', version: second, percent: '50' });
  expect(JSON.parse((await get('/registry.json', 'bucket=0', site)).text).remotes[1].version).toBe(second);
  expect(await versions(`${links[0]}; bucket=0`)).toEqual([second, first]);
  await changeRelease(site.address, { remote: 'mf-signup', action: 'end', audience: 'canary' });
  await changeRelease(site.address, { remote: 'mf-legal', action: 'activate', version: second });
  expect(await versions()).toEqual([second, first]);
  expect((await open(site, `/_preview/${links[0]}`)).status).toBe(404);
});

test('a preview of a remote without a release shows its pages already', async () => {
  const site = await startRunningSite({
    prepare: (folder) => folder.release(releaseOf('mf-signup', { version: first, routes: [routeOf('/')] })),
    variables,
  });
  const link = await publishPreview(site.site, legalRelease(1));
  await untilShown(site, link);
  expect((await get('/terms', `preview=${link}`, site)).status).toBe(200);
  expect((await get('/terms', undefined, site)).status).toBe(503);
});

test('the first page is the first one whose content has changed, or else its title, or else the first one', async () => {
  const folder = makeTemporaryFolder();
  type Page = readonly [path: string, content: string, title?: string];
  /** Writes a release whose pages contain its version, as a build's do. */
  function release(version: string, ...pages: readonly Page[]) {
    const place = path.join(folder, version);
    mkdirSync(place, { recursive: true });
    const routes = pages.map(([address, content, title = address], index) => {
      const fragment = `${index}.html`;
      writeFileSync(path.join(place, fragment), `<h1 class="c${version.split('-')[1]}-heading">${content}</h1>`);
      return { ...routeOf(address, { title }), fragment };
    });
    return { release: wholeRelease('mf-legal', version, { routes }), fragments: { folder: place, files: {} } };
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
