import { accessibilityFindings, colorRules } from '@daybook/testing/page-checks';
import { causedByPageStates, pageStates, tagsOf } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

test.use(causedByPageStates);

for (const state of pageStates) {
  test(`axe reports no violations on ${state.name}, in light and dark`, { tag: tagsOf(state) }, async ({ page }) => {
    await page.goto(state.path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await state.arrive?.(page);
    expect(await accessibilityFindings(page)).toEqual([]);
    // Only colors differ between the schemes.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    expect(await accessibilityFindings(page, colorRules)).toEqual([]);
  });
}
