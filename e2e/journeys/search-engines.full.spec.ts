import { siteRoutes } from '@daybook/testing/routes';
import { expect, test } from '../support/test.ts';

const middleOfAJourney = ['/thank-you', '/continue-registration', '/redirect'];

test('each page has its own title and description, and the sitemap lists exactly those that may be indexed', async ({
  request,
  baseURL,
}) => {
  const textAt = async (url: string) => (await request.get(url)).text();
  const paths = siteRoutes().map(({ path }) => path);
  const seen = new Set<string | undefined>();
  for (const path of paths) {
    const html = await textAt(`${path}?id=7`);
    for (const pattern of [/<title>.+?<\/title>/, /<meta name="description" content="[^"]{40,}">/]) {
      expect.soft(html, path).toMatch(pattern);
      seen.add(pattern.exec(html)?.[0]);
    }
    expect(html).toContain(`<link rel="canonical" href="${baseURL}${path}">`);
    expect(html).toContain(`<meta property="og:url" content="${baseURL}${path}">`);
    expect(html.includes('<meta name="robots" content="noindex">'), path).toBe(middleOfAJourney.includes(path));
  }
  expect(seen.size).toBe(2 * paths.length);

  const named = [...(await textAt('/sitemap.xml')).matchAll(/<loc>(.+?)<\/loc>/g)].map(([, url]) => url);
  const indexed = paths.filter((path) => !middleOfAJourney.includes(path));
  expect(named.sort()).toEqual(indexed.map((path) => `${baseURL}${path}`).sort());
  expect(await textAt('/robots.txt')).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
});
