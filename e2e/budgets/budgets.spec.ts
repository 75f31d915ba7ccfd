import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brokenLinks } from '@daybook/build/links';
import { expect, test } from '@daybook/testing/browser-test';
import { overweightPages, transferredBytes } from '@daybook/testing/budgets';
import { builtRelease } from '@daybook/testing/builds';
import { saveData } from '@daybook/testing/page-checks';
import { siteRoutes } from '@daybook/testing/routes';
import { buildFolder, remotes, root } from '@daybook/testing/workspaces';
import type { Page } from '@playwright/test';

/** Opens a page as a new visitor with data saver; returns the bytes of scripts and styles, and the requests. */
async function weighPage(page: Page, url: string) {
  await page.addInitScript(saveData);
  await page.goto(url);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const weightOf = (folder: string) =>
      files
        .filter(({ name }) => new URL(name).pathname.startsWith(folder) && /\.(?:js|css)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { shell: weightOf('/assets/'), remote: weightOf('/remotes/'), requests: files.length + 1 };
  });
}

for (const remote of remotes)
  test(`pages of ${remote} stay within their limits`, () => {
    expect(overweightPages(builtRelease(remote))).toEqual([]);
  });

/** A page of each remote; the others load the same files of the shell. */
const corePaths = ['/', '/terms', '/unsubscribe', '/thank-you'];
/** Per page: bytes of its HTML, bytes of the shell's scripts and styles, and number of requests. */
const { budget } = JSON.parse(readFileSync(path.join(root, 'shell/package.json'), 'utf8'));
const where = 'in "budget" of shell/package.json';

test('the HTML of every page stays within the budget of the shell', async ({ request }) => {
  for (const { path: pagePath, url } of siteRoutes()) {
    // The first visitors get the page quickly compressed.
    const bytes = async () => Number((await request.get(url)).headers()['content-length']);
    await expect
      .configure({ soft: true })
      .poll(bytes, `${pagePath}: bytes of HTML; "document" ${where}`)
      .toBeLessThanOrEqual(budget.document);
  }
});

for (const { remote, path: pagePath, url } of siteRoutes())
  test(`${pagePath} stays within the budget of the shell`, {
    tag: corePaths.includes(pagePath) ? [] : '@full',
  }, async ({ page }) => {
    const weight = await weighPage(page, url);
    const release = builtRelease(remote);
    const [route] = release.routes.filter((each) => each.path === pagePath);
    expect.soft(weight.shell, `bytes of the shell's files; "files" ${where}`).toBeLessThanOrEqual(budget.files);
    expect.soft(weight.requests, `requests; "requests" ${where}`).toBeLessThanOrEqual(budget.requests);
    expect
      .soft(weight.remote, `bytes of ${remote}'s files; release.json states fewer`)
      .toBeLessThanOrEqual(route ? transferredBytes(release, route) : 0);
  });

test('no page has a broken link', () => {
  const releases = remotes.map(builtRelease);
  const pages = releases.flatMap(({ name, routes }) =>
    routes.map(
      ({ path: pagePath, fragment = '' }) =>
        [pagePath, readFileSync(path.join(buildFolder(name), fragment), 'utf8')] as const,
    ),
  );
  const redirects = releases.flatMap(({ redirects = {} }) => Object.keys(redirects));
  expect(brokenLinks(new Map(pages), new Set([...pages.map(([pagePath]) => pagePath), ...redirects]))).toEqual([]);
});
