import { expect, test } from '@daybook/testing/browser-test';
import { headingOf, sectionsOf, titleOf } from '@daybook/testing/built-pages';
import { subscribeButton } from '@daybook/testing/signup-dialog';
import type { Page } from '@playwright/test';

/** The registered routes of docs/product.md, Pages. */
const registeredRoutes = `/ /unsubscribe /terms /privacy-policy /cookie-policy /e-consent /california-privacy-notice
  /ca-unsubscribe /privacy-rights-request /profiling-opt-out /targeted-opt-out /limit-sensitive-info /accessible-view
  /continue-registration /thank-you /ebook-download /redirect /offer-landing/emergency-pendant
  /offer-landing/dental-savings /offer-landing/hearing-aids`.split(/\s+/);

const footerLink = (page: Page, name: string) =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true }).first();
const section = (page: Page, id: string) => page.locator(`h2[id="${id}"]`);

test('every registered route responds without signing in', async ({ request }) => {
  expect(registeredRoutes).toHaveLength(20);
  for (const path of registeredRoutes) expect((await request.get(path)).status(), path).toBe(200);
});

test('the logo is centered, and at most 240 px wide', { tag: '@full' }, async ({ page }) => {
  const logo = page.getByRole('banner').getByRole('img', { name: 'Daybook' });
  for (const url of ['/', '/unsubscribe'])
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(url);
      const box = await logo.boundingBox();
      expect(box?.width).toBeLessThanOrEqual(240);
      // A scroll bar may move it.
      expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - width / 2)).toBeLessThanOrEqual(16);
    }
});

test('a link loads no document, and Back restores scroll position and focus', async ({ page, consoleLines }) => {
  await page.goto('/?utm_source=advert');
  await page.evaluate(() => Object.assign(window, { stillHere: true }));
  const terms = footerLink(page, 'Terms of Service');
  await terms.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(0);
  await terms.click();
  await expect(page).toHaveTitle(`${titleOf('/terms')} | Daybook`);
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(terms).toBeFocused();
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(Math.round(before));
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true);
  await expect
    .poll(() => consoleLines.filter((line) => line.startsWith('/')))
    .toEqual(['/?utm_source=advert', '/terms', '/?utm_source=advert', '/terms']);
});

test('a link to a section, also of another page, scrolls to it and focuses it', async ({ page }) => {
  const sections = sectionsOf('/terms');
  const [one, last, ofPolicy] = [sections[2], sections.at(-1), sectionsOf('/privacy-policy').at(-1)];
  if (!one || !last || !ofPolicy) throw new Error('The test needs a text of three sections.');
  await page.goto(`/terms#${one.id}`);
  await expect(section(page, one.id)).toBeFocused();
  await expect(section(page, one.id)).toBeInViewport();
  const contents = page.getByRole('navigation', { name: 'Contents' });
  for (const { id } of [last, one]) {
    await contents.locator(`a[href="#${id}"]`).press('Enter');
    await expect(section(page, id)).toBeFocused();
  }
  await footerLink(page, 'Cookie Policy').click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/cookie-policy') })).toBeFocused();
  const url = `/privacy-policy#${ofPolicy.id}`;
  await page.getByRole('main').evaluate((main, href) => {
    main.append(Object.assign(document.createElement('a'), { href, textContent: 'a section of another page' }));
  }, url);
  await page.getByRole('link', { name: 'a section of another page' }).press('Enter');
  await expect(page).toHaveURL(url);
  await expect(section(page, ofPolicy.id)).toBeFocused();
  await expect(section(page, ofPolicy.id)).toBeInViewport();
  await footerLink(page, 'Features').press('Enter');
  await expect(page).toHaveURL('/#features');
  await expect(page.locator('#features').getByRole('heading', { level: 2 })).toBeFocused();
  await expect(page.locator('#features')).toBeInViewport();
});

for (const textSize of ['100%', '130%'])
  test(`a phone shows the signup button without scrolling, text at ${textSize}`, { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
    await expect(subscribeButton(page)).toBeInViewport({ ratio: 1 });
  });
