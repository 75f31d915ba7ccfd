import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { type Sent, type SiteResponse, send } from '@daybook/testing/send';
import { expect, test } from '../support/test.ts';

const hostile: readonly (Sent & { readonly path?: (page: string) => string })[] = [
  { headers: { Host: 'evil.example' } },
  { headers: { 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'gopher', 'X-Forwarded-For': 'x' } },
  { headers: { Range: 'bytes=0-9' } },
  { headers: { Cookie: 'bucket=0', Authorization: 'Bearer x' } },
  { headers: { 'If-None-Match': '*' } },
  { headers: { 'Accept-Encoding': 'identity;q=0, br;q=0' } },
  { headers: { 'X-Original-URL': '/nowhere', 'X-Rewrite-URL': '/nowhere', 'X-HTTP-Method-Override': 'POST' } },
  { method: 'HEAD' },
  { headers: { 'X-Accel-Expires': '9999', 'Cache-Control': 'max-age=9999' } },
  { path: (page) => `http://evil.example${page}` },
  { path: (page) => `/${page}` },
  { path: (page) => `${page}?page=/nowhere#/nowhere` },
  { path: (page) => page.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`) },
  { path: (page) => `/%2f${page.slice(1)}` },
];

/** What a visitor gets, without what is new in every response. */
const content = ({ status, headers, text }: SiteResponse) => {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, headers: others, text };
};

test('no request changes what the next visitor gets from the cache of the edge', async ({ started }) => {
  const program = findNginx();
  test.skip(program === undefined, 'nginx is not installed');
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-edge-')));
  const limits = { LIMIT_NETWORK_REQUESTS: '1000000' };
  const site = process.env.SITE_URL ?? '';
  const edge = await startEdge(program ?? '', started, folder, site, limits);
  const get = (page: string) => send(edge.url, page);

  const { remotes } = JSON.parse((await get('/registry.json')).text);
  const pages: string[] = remotes.flatMap(({ routes }: { routes: { path: string }[] }) =>
    routes.map(({ path }) => path).filter((path) => path !== '/'),
  );
  expect(pages.length).toBeGreaterThan(hostile.length);
  const before = await Promise.all(pages.map(get));
  /** Ids of the requests that reached the shell server; the log is written within a second. */
  const notFromCache = () =>
    readFileSync(path.join(folder, 'access.log'), 'utf8')
      .split('\n')
      .filter((line) => /"cache":"(?:EXPIRED|MISS)"/.test(line))
      .map((line) => JSON.parse(line).requestId);
  // Each request with its own page; the first of a second reaches the shell, the next one gets what is stored.
  const ids = hostile.map(() => new Set<unknown>());
  await expect(async () => {
    for (const [index, { path: pathOf = (page: string) => page, ...request }] of hostile.entries()) {
      const page = pages[index] ?? '';
      ids[index]?.add((await send(edge.url, pathOf(page), request)).headers['x-request-id']);
      expect([hostile[index], content(await get(page))]).toEqual([
        hostile[index],
        content(before[index] as SiteResponse),
      ]);
    }
    const stored = new Set(notFromCache());
    for (const [index, sent] of ids.entries())
      expect(sent.isDisjointFrom(stored), JSON.stringify(hostile[index])).toBe(false);
  }).toPass({ timeout: 60_000 });
});
