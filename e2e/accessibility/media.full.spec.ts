import type { Locator } from '@playwright/test';
import { choiceForm, fillIn, processingDelay, recordAlerts } from '../pages/privacy-choices.ts';
import { holdTimers } from '../support/hold-timers.ts';
import { causedByPageStates, pageStates } from '../support/page-states.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

/** How an element is told from what it lies on: widths of its four borders, in px. */
const bordersOf = (element: Locator) =>
  element.evaluate((target) => {
    const { borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth } = getComputedStyle(target);
    return [borderTopWidth, borderRightWidth, borderBottomWidth, borderLeftWidth].map(Number.parseFloat);
  });

const styleOf = (element: Locator, property: string) =>
  element.evaluate((target, name) => getComputedStyle(target).getPropertyValue(name), property);

test.describe('in forced colors', () => {
  test.use({ ...causedByPageStates, contextOptions: { forcedColors: 'active' } });

  // What comes later to a page brings no controls of another kind, but for the dialog.
  for (const { name, path, arrive } of pageStates.filter(
    (state) => !state.arrive || /dialog|redirect$/.test(state.name),
  )) {
    test(`every field and button has an edge on ${name}`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await arrive?.(page);
      const withoutEdge = await page.evaluate(() => {
        const edges = ['border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width'];
        // The toast and the dialog are closed by a cross, which is drawn in the color of text.
        const controls = 'input:not([type="checkbox"]), select, textarea, progress, button:not([aria-label])';
        return [...document.querySelectorAll(controls)]
          .filter((control) => control.checkVisibility())
          .filter((control) => {
            const style = getComputedStyle(control);
            return edges.some((edge) => Number.parseFloat(style.getPropertyValue(edge)) < 1);
          })
          .map((control) => control.outerHTML.slice(0, 80));
      });
      expect(withoutEdge).toEqual([]);
    });
  }

  test('a refused field is told by the width of its border', async ({ page }) => {
    await page.goto('/unsubscribe');
    const { email, button } = choiceForm(page);
    recordAlerts(page);
    expect(await bordersOf(email)).toEqual([1, 1, 1, 1]);
    await button.click();
    await expect(email).toHaveAttribute('aria-invalid', 'true');
    expect(await bordersOf(email)).toEqual([3, 3, 3, 3]);
  });

  test('a spinner has an open side by which it is seen to turn', async ({ page }) => {
    await page.goto('/unsubscribe');
    await fillIn(page);
    await holdTimers(page, processingDelay);
    const { button } = choiceForm(page);
    await button.click();
    const ring = button.locator('span[class]').filter({ hasNotText: /./ }).last();
    expect(await styleOf(ring, 'border-top-color')).toBe(await styleOf(button, 'background-color'));
    expect(await styleOf(ring, 'border-bottom-color')).toBe(await styleOf(button, 'color'));
  });

  test('the countdown is seen to fill its bar', async ({ page }) => {
    await page.goto('/redirect?url=https%3A%2F%2Fexample.com');
    const bar = page.getByRole('progressbar');
    const before = await bar.screenshot();
    await expect(page.getByText('Opens in 2 seconds')).toBeVisible();
    expect((await bar.screenshot()).equals(before)).toBe(false);
  });
});

test('with more contrast the dialog has an edge', async ({ page }) => {
  await page.emulateMedia({ contrast: 'more', colorScheme: 'dark' });
  const { dialog } = await openSignupDialog(page);
  expect(Math.min(...(await bordersOf(dialog)))).toBeGreaterThanOrEqual(1);
});

test.describe('on paper', () => {
  test('there is the page without the ways to others, and also with the dialog open', async ({ page }) => {
    const { dialog } = await openSignupDialog(page);
    await page.emulateMedia({ media: 'print' });
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('contentinfo')).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeVisible();
  });

  test('a link that leads off the site shows its address, and a download none', async ({ page }) => {
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
