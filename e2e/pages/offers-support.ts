import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Fails on anything that axe finds on the page as it is now. */
export async function expectAccessible(page: Page): Promise<void> {
  // In the page itself, for tests that hold its clock: otherwise axe adds up in a second page, whose clock stands too.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

/** Declares tests twice, for the light and the dark color scheme. */
export function inBothSchemes(declare: () => void): void {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`in ${colorScheme}`, () => {
      test.use({ colorScheme });
      declare();
    });
  }
}

/** Fails where the page scrolls sideways at the narrowest width that it has to fit. */
export async function expectToFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(beyond).toBeLessThanOrEqual(0);
}
