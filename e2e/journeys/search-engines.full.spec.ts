import type { PublicRegistry } from '@daybook/contract/release';
import { expect, test } from '../support/test.ts';

const middleOfAJourney = ['/thank-you', '/continue-registration', '/redirect'];

/** Returns every route of the site, as listed in its pages. */
async function routesOf(html: string): Promise<PublicRegistry['remotes'][number]['routes']> {
  const [, json = ''] = /id="page-data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json).registry.remotes.flatMap(({ routes }: PublicRegistry['remotes'][number]) => routes);
}

test('each page has its own title and description, and states whether it may be indexed', async ({
  request,
  baseURL,
}) => {
  const routes = await routesOf(await (await request.get('/')).text());
  const seen = new Set<string>();
  for (const { path } of routes) {
    const html = await (await request.get(`${path}?id=7`)).text();
    const [title = ''] = /<title>.+?<\/title>/.exec(html) ?? [];
    const [description = ''] = /<meta name="description" content="[^"]{40,}">/.exec(html) ?? [];
    expect(title, path).not.toBe('');
    expect(description, path).not.toBe('');
    const [alt = ''] = /<meta property="og:image:alt" content="[^"]{40,}">/.exec(html) ?? [];
    expect(alt, path).not.toBe('');
    seen.add(title).add(description).add(alt);
    expect(html).toContain(`<link rel="canonical" href="${baseURL}${path}">`);
    expect(html).toContain(`<meta property="og:url" content="${baseURL}${path}">`);
    expect(html.includes('<meta name="robots" content="noindex">'), path).toBe(middleOfAJourney.includes(path));
  }
  expect(seen.size).toBe(3 * routes.length);
});

test('the sitemap lists every page that may be indexed, and robots.txt refers to the sitemap', async ({
  request,
  baseURL,
}) => {
  const routes = await routesOf(await (await request.get('/')).text());
  const sitemap = await (await request.get('/sitemap.xml')).text();
  const named = [...sitemap.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, address = '']) =>
    address.replace(`${baseURL}`, ''),
  );
  expect(named.sort()).toEqual(
    routes
      .map(({ path }) => path)
      .filter((path) => !middleOfAJourney.includes(path))
      .sort(),
  );
  expect(await (await request.get('/robots.txt')).text()).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});
