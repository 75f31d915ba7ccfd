import { routeOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { beforeEach, expect, test } from '@jest/globals';
import { numbered, sentOf, startRunningSite } from '../test/running-site.ts';

const site = await startRunningSite();
beforeEach(async () => {
  await site.empty();
  await site.client.publish(sentOf(numbered(1, 'mf-signup')));
});

const get = (path: string) => send(site.url, path);
const publish = (number: number, path: string, redirects: Record<string, string> = {}) =>
  site.client.publish(sentOf(numbered(number, 'mf-legal', { routes: [routeOf(path)], redirects })));

test('a renamed page is found at its former path by 301', async () => {
  await publish(1, '/rules', { '/terms': '/rules' });
  const { status, headers } = await get('/terms/?id=7&url=%2F%2Fother.example');
  // Not cached for good: the page may be renamed back.
  expect([status, headers.location, headers['cache-control']]).toEqual([
    301,
    '/rules?id=7&url=%2F%2Fother.example',
    'no-cache, no-transform',
  ]);
});

test('the sitemap has the pages of all remotes, without redirects and hidden ones', async () => {
  const routes = [routeOf('/rules'), routeOf('/draft', { noIndex: true })];
  await site.client.publish(sentOf(numbered(1, 'mf-legal', { routes, redirects: { '/terms': '/rules' } })));
  const { text, headers } = await get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(([, path]) => path);
  expect([paths, headers['content-type']]).toEqual([['/rules', '/'], expect.stringMatching(/xml/)]);
});
