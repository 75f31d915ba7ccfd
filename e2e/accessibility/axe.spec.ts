import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { causedByPageStates, pageStates } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function expectNothingFound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme, ...causedByPageStates });
    for (const { name, path, arrive } of pageStates) {
      test(`axe finds nothing on ${name}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await arrive?.(page);
        await expectNothingFound(page);
      });
    }
  });
}
