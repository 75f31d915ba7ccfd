import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true });

/** Returns whether the focused element follows the given one in the page. */
const isAfter = (page: Page, id: string) =>
  page.evaluate((anchor) => {
    const section = document.getElementById(anchor);
    const focused = document.activeElement;
    if (!section || !focused) return false;
    return Boolean(section.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING);
  }, id);

test('a page opened at a section has its focus there, and Tab continues from there', async ({ page }) => {
  await page.goto('/terms#how-to-stop');
  await expect(heading(page, 'How to stop')).toBeFocused();
  await expect(heading(page, 'How to stop')).toBeInViewport();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'unsubscribe page' })).toBeFocused();
});

test('a section without links also takes the focus', async ({ page }) => {
  await page.goto('/terms#limits-of-our-liability');
  await expect(heading(page, 'Limits of our liability')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await isAfter(page, 'limits-of-our-liability')).toBe(true);
});

test('a link to a section of another page moves the focus to it', async ({ page }) => {
  await page.goto('/cookie-policy');
  await page.getByRole('main').locator('a[href="/privacy-policy#what-we-collect"]').first().press('Enter');
  await expect(page).toHaveURL('/privacy-policy#what-we-collect');
  await expect(heading(page, 'What we collect')).toBeFocused();
  await expect(heading(page, 'What we collect')).toBeInViewport();
  await page.keyboard.press('Tab');
  expect(await isAfter(page, 'what-we-collect')).toBe(true);
});

test('an entry of the contents moves the focus to its section, each time', async ({ page }) => {
  await page.goto('/terms');
  const contents = page.getByRole('navigation', { name: 'Contents' });
  for (const name of ['Governing law and disputes', 'How to stop', 'How to stop']) {
    await contents.getByRole('link', { name, exact: true }).press('Enter');
    await expect(heading(page, name)).toBeFocused();
  }
});

test('“Features” in the footer moves the focus to the heading of the cards', async ({ page }) => {
  await page.goto('/terms');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Features' }).press('Enter');
  await expect(page).toHaveURL('/#features');
  await expect(page.locator('#features').getByRole('heading', { level: 2 })).toBeFocused();
});
