import { readFileSync } from 'node:fs';
import { expect, test } from '@daybook/testing/browser-test';
import { siteRoutes } from '@daybook/testing/routes';
import { type Sent, type SiteResponse, send } from '@daybook/testing/send';
import { openEdge } from './edge.ts';

const untrusted: readonly (Sent & { readonly path?: (page: string) => string })[] = [
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
  const edge = await openEdge(started);
  const get = async (page: string) => content(await send(edge.url, page));
  const pages = siteRoutes()
    .map(({ path }) => path)
    .filter((path) => path !== '/');
  expect(pages.length).toBeGreaterThan(untrusted.length);
  const before = await Promise.all(pages.map(get));
  /** Ids of the requests that reached the shell server; the log is written within a second. */
  const notFromCache = () =>
    readFileSync(edge.log, 'utf8')
      .split('\n')
      .filter((line) => /"cache":"(?:EXPIRED|MISS)"/.test(line))
      .map((line) => JSON.parse(line).requestId);
  // Each request with its own page; the first of a second reaches the shell, the next one gets what is stored.
  const ids = untrusted.map(() => new Set<unknown>());
  await expect(async () => {
    for (const [index, { path: pathOf = (page: string) => page, ...request }] of untrusted.entries()) {
      const page = pages[index] ?? '';
      ids[index]?.add((await send(edge.url, pathOf(page), request)).headers['x-request-id']);
      expect(await get(page), JSON.stringify(request)).toEqual(before[index]);
    }
    const stored = new Set(notFromCache());
    for (const [index, sent] of ids.entries())
      expect(sent.isDisjointFrom(stored), JSON.stringify(untrusted[index])).toBe(false);
  }).toPass({ timeout: 60_000 });
});
