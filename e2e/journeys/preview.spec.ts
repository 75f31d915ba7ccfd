import { previewUrl } from '@daybook/contract/release';
import { test as base, expect } from '@daybook/testing/browser-test';
import { readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { headingOf } from '@daybook/testing/built-pages';
import { layoutShifts } from '@daybook/testing/layout-shifts';
import { type OwnSite, perWorker, startOwnSite } from '@daybook/testing/own-site';
import { accessibilityFindings, sidewaysScroll } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';

const next = '9.0.0-00000000000c';

const built = readBuiltRelease('mf-legal');
const first = built.release.version;

/** A site with a preview of mf-legal that has another heading of /terms; one for all tests. */
const test = base.extend<object, { site: OwnSite & { readonly link: string } }>({
  site: perWorker(async (started) => {
    const site = await startOwnSite(started);
    const changed = variantOf(built, next, (text) => text.replaceAll(headingOf('/terms'), 'Terms of Preview'));
    // As a build of the changed text would have it.
    const routes = changed.release.routes.map((route) =>
      route.path === '/terms' ? { ...route, hash: '0'.repeat(12) } : route,
    );
    await site.publish({ ...changed, release: { ...changed.release, routes } }, { keep: 'true' });
    return { ...site, link: site.url + previewUrl('mf-legal', next) };
  }),
});
test.use({ expectedStatuses: [404] });

const bar = (page: Page) => page.getByRole('complementary', { name: 'Preview', exact: true });
const nav = (page: Page) => page.getByRole('navigation', { name: 'Preview', exact: true });
const leave = (page: Page) => nav(page).getByRole('link', { name: 'Leave the preview' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const terms = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' });

for (const width of [320, 1280])
  test(`whoever opens the link sees the site with the preview and a bar, ${width} px wide`, async ({ page, site }) => {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(site.link);
    await expect(page).toHaveURL(`${site.url}/terms`);
    await expect(heading(page, 'Terms of Preview')).toBeVisible();
    await expect(bar(page)).toHaveText(`Preview of mf-legal ${next}: not what visitors get.`);
    await expect(leave(page)).toBeInViewport();
    expect(await layoutShifts(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

test('the bar stays while the visitor navigates, until they leave', async ({ page, site, browser }) => {
  // A page of before shows nothing of the preview without its bar.
  await page.goto(`${site.url}/`);
  await page.request.get(site.link);
  await terms(page).click();
  await expect(heading(page, 'Terms of Preview')).toBeVisible();
  await expect(bar(page)).toBeVisible();

  await page.goto(`${site.url}/`);
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { isSameDocument: true }));
  await terms(page).click();
  await expect(heading(page, 'Terms of Preview')).toBeVisible();
  await expect(bar(page)).toBeVisible();
  expect(await page.evaluate(() => 'isSameDocument' in globalThis)).toBe(true);

  const other = await browser.newPage({ javaScriptEnabled: false });
  await other.goto(`${site.url}/terms`);
  await expect(other.locator(`[data-remote="mf-legal@${first}"]`)).toBeVisible();
  await expect(bar(other)).toBeHidden();
  // The bar and its link need no script.
  await other.goto(site.link);
  await expect(heading(other, 'Terms of Preview')).toBeVisible();
  await leave(other).click();
  await expect(bar(other)).toBeHidden();
  await other.close();

  await leave(page).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await expect(bar(page)).toBeHidden();
  await page.goto(`${site.url}/terms`);
  await expect(page.locator(`[data-remote="mf-legal@${first}"]`)).toBeVisible();
  await page.goto(`${site.url}/_preview/mf-legal/another`);
  await expect(heading(page, 'There is no preview at this link')).toBeVisible();
  expect(await accessibilityFindings(page)).toEqual([]);
});

test('an operator reads the releases page on a phone, in the dark', async ({ page, site }) => {
  await page.goto(`${site.url.replace('//', `//ann:${site.tokens.operatorToken}@`)}/_releases`);
  await expect(page.getByRole('region', { name: 'mf-legal' })).toContainText(`all visitors get ${first}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 800 });
  // The page itself runs no script, so axe checks a copy of it.
  const copy = await page.content();
  await page.goto('about:blank');
  await page.setContent(copy);
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});
