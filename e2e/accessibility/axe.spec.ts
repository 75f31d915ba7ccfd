import { accessibilityFindings } from '@daybook/testing/page-checks';
import { causedByPageStates, pageStates } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme, ...causedByPageStates });
    for (const { name, path, arrive } of pageStates) {
      test(`axe finds nothing on ${name}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await arrive?.(page);
        expect(await accessibilityFindings(page)).toEqual([]);
      });
    }
  });
}
