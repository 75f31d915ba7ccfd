import { expect, test } from '@daybook/testing/browser-test';
import { choiceForm, recordAlerts } from '../pages/privacy-choices.ts';

test('forced colors show an invalid field by its border', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/unsubscribe');
  const { email, button } = choiceForm(page);
  recordAlerts(page);
  await expect(email).toHaveCSS('border-width', '1px');
  await button.click();
  await expect(email).toHaveAttribute('aria-invalid', 'true');
  await expect(email).toHaveCSS('border-width', '3px');
});

test('prints a text without navigation, and the address of external links', async ({ page }) => {
  await page.emulateMedia({ media: 'print' });
  await page.goto('/terms');
  await expect(page.getByText(/^Last Updated: /)).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'Footer' })).toBeHidden();
  await page.goto('/ebook-download');
  const link = page.getByRole('main').getByRole('link', { name: /housing guide/ });
  expect(await link.evaluate((element) => getComputedStyle(element, '::after').content)).toContain('https://');
});
