import type { Locator } from '@playwright/test';
import { choiceForm, fillIn, processingDelay, recordAlerts } from '../pages/privacy-choices.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

const styleOf = (element: Locator, property: string) =>
  element.evaluate((target, name) => getComputedStyle(target).getPropertyValue(name), property);

test('forced colors show an invalid field by its border, and the rotation of a spinner', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/unsubscribe');
  const { email, button, busyButton } = choiceForm(page);
  recordAlerts(page);
  await expect(email).toHaveCSS('border-width', '1px');
  await button.click();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveCSS('border-width', '3px');
  await fillIn(page);
  await holdTimers(page, processingDelay);
  await button.click();
  await expect(busyButton).toBeVisible();
  const ring = button.locator('span[class]').filter({ hasNotText: /./ }).last();
  const background = await styleOf(button, 'background-color');
  expect(await styleOf(ring, 'border-top-color')).toBe(background);
  expect(await styleOf(ring, 'border-bottom-color')).not.toBe(background);
});

test('the dialog has a border if more contrast is requested, and is not printed', async ({ page }) => {
  await page.emulateMedia({ contrast: 'more', colorScheme: 'dark' });
  const { dialog } = await openSignupDialog(page);
  expect(Number.parseFloat(await styleOf(dialog, 'border-width'))).toBeGreaterThanOrEqual(1);
  await page.emulateMedia({ media: 'print' });
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
});

test('prints a text without navigation, and the address of external links', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.goto('/terms');
  await expect(page.getByText(/^Last Updated: /)).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Footer' })).toBeHidden();
  await page.goto('/ebook-download');
  const addressOf = (name: RegExp) =>
    page
      .getByRole('main')
      .getByRole('link', { name })
      .evaluate((link) => getComputedStyle(link, '::after').content);
  expect(await addressOf(/housing guide/)).toContain('https://');
  expect(await addressOf(/^Download/)).toBe('none');
});
