import type { Page } from '@playwright/test';
import { choiceForm, fillIn } from '../pages/privacy-choices.ts';
import { expect, test, untilReady } from '../support/test.ts';

/** Opens the current address as if it was typed into the address bar again. */
async function openAgain(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => location.assign(location.href));
  await loaded;
  await untilReady(page);
}

async function submitForm(page: Page): Promise<void> {
  const { button, confirmation } = choiceForm(page);
  await page.goto('/unsubscribe');
  await fillIn(page);
  await button.click();
  await expect(confirmation).toBeFocused();
}

test('opening the address of a submitted form again shows the form', async ({ page }) => {
  const { email, confirmation } = choiceForm(page);
  await submitForm(page);
  await openAgain(page);
  await expect(email).toHaveValue('');
  await expect(confirmation).toBeHidden();
});

test('the footer’s link to the page itself shows the form after submitting', async ({ page }) => {
  const { email, confirmation } = choiceForm(page);
  await submitForm(page);
  await page.getByRole('contentinfo').locator('a[href="/unsubscribe"]').click();
  await expect(email).toHaveValue('');
  await expect(confirmation).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('opening the address of the thank-you page again shows no blocked tabs', async ({ page }) => {
  await page.addInitScript(() => {
    window.open = () => null;
  });
  await page.goto(`/redirect?url=${encodeURIComponent('https://sponsors.daybook.example/home-security')}`);
  const heldBack = page.getByRole('region', { name: /browser blocked/i });
  await expect(page).toHaveURL('/thank-you');
  await expect(heldBack).toBeVisible();
  await page.reload();
  await expect(heldBack).toBeVisible();
  await openAgain(page);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(heldBack).toBeHidden();
});
