import type { Page } from '@playwright/test';
import { subscribeButton } from '../support/signup-dialog.ts';
import { expect, newAddress, stubSponsors, test } from '../support/test.ts';

const listed = ['waitlist', 'bucket', 'userEmail', 'enteredEmail', 'answeredOffersOf', 'scroll-positions'];

/** Returns the names of all entries that the site stores in this browser. */
async function namesInBrowser(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies();
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...cookies.map(({ name }) => name), ...stored];
}

test('the table lists each entry with its place, purpose and retention', async ({ page }) => {
  await page.goto('/cookie-policy');
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveText(['Name', 'Where', 'What it is for', 'How long']);
  await expect(table.getByRole('rowheader')).toHaveText(listed);
  const place = (name: string) => table.getByRole('row').filter({ hasText: name }).getByRole('cell').first();
  await expect(place('waitlist')).toContainText('Cookie');
  await expect(place('userEmail')).toContainText('Local storage');
  await expect(place('enteredEmail')).toContainText('Session storage');
  await expect(place('answeredOffersOf')).toContainText('Session storage');
});

test('each entry shows its column headings on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto('/cookie-policy');
  const cookie = page.locator('tbody tr').first();
  for (const column of ['Where: ', 'What it is for: ', 'How long: ']) {
    await expect(cookie.getByText(column, { exact: true })).toBeVisible();
  }
  await expect(page.getByText('Name', { exact: true })).toBeHidden();
});

test('only scroll positions are stored without a signup', async ({ page }) => {
  await page.goto('/');
  for (const path of ['/terms', '/privacy-policy', '/cookie-policy']) {
    await page.getByRole('contentinfo').locator(`a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
  }
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await namesInBrowser(page)).toEqual(['scroll-positions']);
});

test('the whole journey stores only entries that are listed', async ({ page }) => {
  await stubSponsors(page);
  await page.goto('/');
  await subscribeButton(page).click();
  await page.getByRole('dialog').getByRole('textbox').fill(newAddress('cookies'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/thank-you\?/);
  await page.locator('a[href^="/continue-registration"]').first().click();
  await page.getByRole('button', { name: 'No thanks' }).click();
  await page.waitForURL(/\/thank-you\?/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // No canary runs here, so its cookie is not set.
  const expected = listed.filter((name) => name !== 'bucket');
  expect((await namesInBrowser(page)).toSorted()).toEqual(expected.toSorted());

  const cookie = (await page.context().cookies()).find(({ name }) => name === 'waitlist');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/api' });
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / (24 * 60 * 60);
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
});
