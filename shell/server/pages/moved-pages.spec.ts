import type { Release } from '@daybook/contract/release';
import { releaseOf, routeOf, versionOf } from '@daybook/testing/releases';
import { send } from '@daybook/testing/send';
import { expect, test } from '@jest/globals';
import { changeRelease, operatorToken } from '../test/operator.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';

let number = 0;

/** A release of a remote with these pages, whose titles name the remote. */
function release(name: string, paths: readonly (string | Partial<Release['routes'][number]>)[], changes = {}): Release {
  number += 1;
  const routes = paths.map((each) => (typeof each === 'string' ? { path: each } : each));
  return releaseOf(name, {
    version: versionOf(number),
    routes: routes.map((route) => routeOf(String(route.path), { title: `Of ${name}`, ...route })),
    ...changes,
  });
}

const start = () => startRunningSite({ variables: { OPERATOR_TOKEN: operatorToken } });
const get = ({ url }: RunningSite, path: string) => send(url, path);
const ownerOf = async (site: RunningSite, path: string) => {
  const { status, text } = await get(site, path);
  return [status, /<title>Of (\S+) /.exec(text)?.[1]];
};
const published = (site: RunningSite, next: Release) =>
  site.publish(next, next.version).then(
    () => 'published',
    (error: Error) => String(JSON.parse(error.message).message),
  );
const pagesInSitemap = async (site: RunningSite) =>
  [...(await get(site, '/sitemap.xml')).text.matchAll(/<loc>[^<]*?:\d+(\/[^<]*)<\/loc>/g)].map(([, path]) => path);

test('a renamed page is found at its former path by 301, with the query; chains, loops and foreign pages are refused', async () => {
  const site = await start();
  await site.publish(release('mf-signup', ['/']));
  await site.publish(release('mf-legal', ['/terms']));
  await site.publish(release('mf-legal', ['/rules'], { redirects: { '/terms': '/rules' } }));
  const moved = [
    ['/terms', '/rules'],
    ['/terms/?id=7&url=%2F%2Fevil.example', '/rules?id=7&url=%2F%2Fevil.example'],
    ['//terms//?', '/rules?'],
  ] as const;
  for (const [from, to] of moved) {
    const { status, headers } = await get(site, from);
    expect([status, headers.location, headers['cache-control']]).toEqual([301, to, 'no-cache, no-transform']);
  }
  expect(await ownerOf(site, '/rules')).toEqual([200, 'mf-legal']);
  expect(await pagesInSitemap(site)).toEqual(['/rules', '/']);
  for (const [redirects, reason] of [
    [{ '/a': '/b', '/b': '/rules' }, 'it redirects /a to /b, which is redirected to /rules; name the last page'],
    [{ '/a': '/b', '/b': '/a' }, 'it redirects /a to /b, which is redirected to /a; name the last page'],
    [{ '/a': '/nowhere' }, 'it redirects /a to /nowhere, which is no page of the site'],
    [{ '/': '/rules' }, 'it redirects /, which belongs to mf-signup@'],
    [{ '/a': '//evil.example' }, 'must begin with /'],
    [{ '/registry.json': '/rules' }, 'must begin with /'],
  ] as const)
    expect(await published(site, release('mf-legal', ['/rules'], { redirects }))).toContain(reason);
  expect(await published(site, release('mf-signup', ['/', '/terms']))).toContain('/terms is a redirect of mf-legal@');
  // Back again: browsers have not stored the former redirect.
  await site.publish(release('mf-legal', ['/terms'], { redirects: { '/rules': '/terms' } }));
  expect([(await get(site, '/terms')).status, (await get(site, '/rules?x')).headers.location]).toEqual([
    200,
    '/terms?x',
  ]);
});

test('a page moves to another remote without a moment of 404, and both can be rolled back', async () => {
  const site = await start();
  const rollback = (remote: string) => changeRelease(site.url, { remote, action: 'rollback', why: 'a test' });
  await site.publish(release('mf-signup', ['/']));
  const former = release('mf-legal', ['/terms', '/faq']);
  await site.publish(former, former.version);
  const taking = () => release('mf-signup', ['/', { path: '/faq', takenFrom: 'mf-legal' }]);
  const owner = () => ownerOf(site, '/faq');
  expect(await published(site, release('mf-signup', ['/', '/faq']))).toContain('its route /faq belongs to mf-legal@');
  expect(await published(site, taking())).toContain("write movesTo: 'mf-signup' at that route of mf-legal");
  await site.publish(release('mf-legal', ['/terms', { path: '/faq', movesTo: 'mf-signup' }]));
  expect(await owner()).toEqual([200, 'mf-legal']);
  await site.publish(taking());
  expect(await owner()).toEqual([200, 'mf-signup']);
  expect(await pagesInSitemap(site)).toEqual(['/terms', '/', '/faq']);
  await rollback('mf-signup');
  expect(await owner()).toEqual([200, 'mf-legal']);
  await site.publish(taking());
  await rollback('mf-legal');
  expect(await owner()).toEqual([200, 'mf-signup']);
  await site.publish(taking());
  await site.publish(release('mf-legal', ['/terms']));
  expect(await owner()).toEqual([200, 'mf-signup']);
  // As the container of a former release does when it starts again.
  expect(await published(site, former)).toBe('published');
  expect(await owner()).toEqual([200, 'mf-signup']);
});
