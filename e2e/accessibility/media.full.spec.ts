import type { Locator } from '@playwright/test';
import { choiceForm, fillIn, processingDelay, recordAlerts } from '../pages/privacy-choices.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

/** Widths of an element's four borders, which separate it from its background, in px. */
const bordersOf = (element: Locator) =>
  element.evaluate((target) => {
    const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth } = getComputedStyle(target);
    return [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].map(Number.parseFloat);
  });

const styleOf = (element: Locator, property: string) =>
  element.evaluate((target, name) => getComputedStyle(target).getPropertyValue(name), property);

test.describe('in forced colors', () => {
  test.use({ contextOptions: { forcedColors: 'active' } });

  test('an invalid field is distinguished by the width of its border', async ({ page }) => {
    await page.goto('/unsubscribe');
    const { email, button } = choiceForm(page);
    recordAlerts(page);
    expect(await bordersOf(email)).toEqual([1, 1, 1, 1]);
    await button.click();
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    expect(await bordersOf(email)).toEqual([3, 3, 3, 3]);
  });

  test('a spinner has an open side that makes its rotation visible', async ({ page }) => {
    await page.goto('/unsubscribe');
    await fillIn(page);
    await holdTimers(page, processingDelay);
    const { button } = choiceForm(page);
    await button.click();
    const ring = button.locator('span[class]').filter({ hasNotText: /./ }).last();
    expect(await styleOf(ring, 'border-top-color')).toBe(await styleOf(button, 'background-color'));
    expect(await styleOf(ring, 'border-bottom-color')).not.toBe(await styleOf(button, 'background-color'));
  });

  test('the countdown visibly fills its bar', async ({ page }) => {
    await page.goto('/redirect?url=https%3A%2F%2Fexample.com');
    const bar = page.getByRole('progressbar');
    const before = await bar.screenshot();
    await expect(page.getByText('Opens in 2 seconds')).toBeVisible();
    expect((await bar.screenshot()).equals(before)).toBe(false);
  });
});

test('the dialog has a border if more contrast is requested', async ({ page }) => {
  await page.emulateMedia({ contrast: 'more', colorScheme: 'dark' });
  const { dialog } = await openSignupDialog(page);
  expect(Math.min(...(await bordersOf(dialog)))).toBeGreaterThanOrEqual(1);
});

test.describe('on paper', () => {
  test('prints the page without navigation, also while the dialog is open', async ({ page }) => {
    const { dialog } = await openSignupDialog(page);
    await page.emulateMedia({ media: 'print' });
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
  });

  test('prints the address of external links, but not of downloads', async ({ page }) => {
    await page.goto('/ebook-download');
    await page.emulateMedia({ media: 'print' });
    const addressOf = (name: RegExp) =>
      page
        .getByRole('main')
        .getByRole('link', { name })
        .evaluate((link) => getComputedStyle(link, '::after').content);
    expect(await addressOf(/housing guide/)).toContain('https://');
    expect(await addressOf(/^Download/)).toBe('none');
  });
});
