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

test.each([
  ['/terms', '/rules'],
  ['/terms/?id=7&url=%2F%2Fother.example', '/rules?id=7&url=%2F%2Fother.example'],
  ['//terms//?', '/rules?'],
])('a renamed page is found at its former path by 301: %s', async (from, to) => {
  await publish(1, '/rules', { '/terms': '/rules' });
  const { status, headers } = await get(from);
  // Not cached for good: the page may be renamed back.
  expect([status, headers.location, headers['cache-control']]).toEqual([301, to, 'no-cache, no-transform']);
});

test('a page can be renamed back', async () => {
  await publish(1, '/rules', { '/terms': '/rules' });
  await publish(2, '/terms', { '/rules': '/terms' });
  expect([(await get('/terms')).status, (await get('/rules?x')).headers.location]).toEqual([200, '/terms?x']);
});

test('a redirect whose page went away is a 404', async () => {
  await publish(1, '/rules', { '/old': '/' });
  await site.client.publish(sentOf(numbered(2, 'mf-signup', { routes: [routeOf('/start')] })));
  expect((await get('/old')).status).toBe(404);
});

test('the sitemap has the pages of all remotes, without redirects and hidden ones', async () => {
  const routes = [routeOf('/rules'), routeOf('/draft', { noIndex: true })];
  await site.client.publish(sentOf(numbered(1, 'mf-legal', { routes, redirects: { '/terms': '/rules' } })));
  const { text, headers } = await get('/sitemap.xml');
  const paths = [...text.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(([, path]) => path);
  expect([paths, headers['content-type']]).toEqual([['/rules', '/'], expect.stringMatching(/xml/)]);
});
