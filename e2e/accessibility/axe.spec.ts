import { accessibilityFindings } from '@daybook/testing/page-checks';
import { causedByPageStates, pageStates, tagsOf } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme, ...causedByPageStates });
    for (const state of pageStates) {
      const tag = colorScheme === 'light' ? tagsOf(state) : '@full';
      test(`axe finds nothing on ${state.name}`, { tag }, async ({ page }) => {
        await page.goto(state.path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await state.arrive?.(page);
        expect(await accessibilityFindings(page)).toEqual([]);
      });
    }
  });
}
