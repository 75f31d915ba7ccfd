import { expect, newEmail, test } from '@daybook/testing/browser-test';
import { accessibilityFindings } from '@daybook/testing/page-checks';
import { openSignupDialog } from '@daybook/testing/signup-dialog';
import type { Page } from '@playwright/test';

const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? 'on a phone' : 'on a phone without JavaScript', () => {
    test.use({ javaScriptEnabled, viewport: { width: 390, height: 844 } });

    test('the contents of a text are folded, open by a press, and lead to a section', async ({ page }) => {
      await page.goto('/terms');
      const link = contents(page).getByRole('link').last();
      await expect(link).toBeHidden();
      await expect(page.getByRole('main').locator('p').nth(1)).toBeInViewport();
      await contents(page).locator('summary').click();
      await link.click();
      await expect(page.locator((await link.getAttribute('href')) ?? '')).toBeInViewport();
      if (javaScriptEnabled) expect(await accessibilityFindings(page)).toEqual([]);
    });
  });

test('the list of cookies is all that a journey stores', async ({ page }) => {
  /** Returns the names of all entries that the site stores in this browser, each with its place. */
  const entriesInBrowser = async () => {
    const cookies = (await page.context().cookies()).map(({ name }) => `${name}: Cookie`);
    const stored = await page.evaluate(() => [
      ...Object.keys(localStorage).map((name) => `${name}: Local storage`),
      ...Object.keys(sessionStorage).map((name) => `${name}: Session storage`),
    ]);
    return [...cookies, ...stored].sort();
  };
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/cookie-policy');
  const names = await page.getByRole('table').getByRole('rowheader').allTextContents();
  const places = await page.locator('tbody td:nth-child(2)').allTextContents();
  const listed = names.map(
    (name, row) => `${name}: ${/^Where: (Cookie|Local storage|Session storage)\b/.exec(places[row] ?? '')?.[1]}`,
  );
  for (const column of ['Where: ', 'What it is for: ', 'How long: '])
    await expect(page.locator('tbody tr').first().getByText(column, { exact: true })).toBeVisible();
  await expect(page.getByText('Name', { exact: true })).toBeHidden();
  await page.getByRole('contentinfo').locator('summary', { hasText: 'Legal' }).click();
  await page.getByRole('contentinfo').locator('a[href="/terms"]').click();
  await expect(page).toHaveURL('/terms');
  await page.reload();
  expect(await entriesInBrowser()).toEqual(['scroll-positions: Session storage']);

  const { email, submit } = await openSignupDialog(page);
  await email.fill(newEmail('cookies'));
  await submit.click();
  await page.waitForURL(/\/thank-you\?/);
  await page.locator('a[href^="/continue-registration"]').first().click();
  await page.getByRole('button', { name: 'No thanks' }).click();
  await page.waitForURL(/\/thank-you\?/);
  await page.reload();
  // Neither a canary nor a preview runs here, so their cookies are not set.
  expect([...(await entriesInBrowser()), 'bucket: Cookie', 'preview: Cookie'].sort()).toEqual(listed.sort());
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'waitlist');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api' });
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60);
  expect(Math.round(days * 10)).toBe(300);
});

test.describe('the accessible view', () => {
  const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe Now' });
  test.beforeEach(({ page }) => page.goto('/accessible-view'));

  test('has a skip link', async ({ page }) => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.locator('#about')).toBeFocused();
  });

  test('has a contrast of 7:1 and no animation, and prints black on white', async ({ page }) => {
    await subscribe(page).click();
    await expect(page.getByRole('status')).not.toBeEmpty();
    await subscribe(page).hover();
    // Shows the loading bar.
    await page.evaluate(() => Object.assign(document.documentElement.dataset, { waiting: '' }));
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await expect(page.locator('video, audio, marquee, img[src$=".gif"]')).toHaveCount(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFindings(page, ['color-contrast-enhanced'])).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    for (const printed of [
      page.getByRole('heading', { level: 1 }),
      page.getByRole('link', { name: 'Terms of Service' }),
    ])
      await expect(printed).toHaveCSS('color', 'rgb(0, 0, 0)');
    await expect(contents(page)).toBeHidden();
  });
});
