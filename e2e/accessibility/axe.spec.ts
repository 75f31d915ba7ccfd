import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function expectNothingFound(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  );
}

const pages: readonly [string, string, (page: Page) => Promise<void>][] = [
  ['the home page', '/', async () => undefined],
  [
    'the signup dialog',
    '/',
    async (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /subscribe/i })
        .first()
        .click(),
  ],
  [
    'the signup dialog with an error',
    '/',
    async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /subscribe/i })
        .first()
        .click();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
    },
  ],
  ['the offers', '/continue-registration?id=7', async () => undefined],
  [
    'the offers without a choice',
    '/continue-registration?id=7',
    async (page) => page.getByRole('button', { name: 'Continue with selected offers' }).click(),
  ],
  ['an unknown registration', '/continue-registration', async () => undefined],
  ['the thank-you page', '/thank-you', async () => undefined],
  ['the unsubscribe page', '/unsubscribe', async () => undefined],
  [
    'the confirmed unsubscription',
    '/unsubscribe',
    async (page) => {
      await page.getByRole('textbox').fill('reader@example.com');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Unsubscribe Request Submitted' })).toBeVisible();
    },
  ],
  ['the terms', '/terms', async () => undefined],
];

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });
    for (const [name, path, arrive] of pages) {
      test(`axe finds nothing on ${name}`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await arrive(page);
        await expectNothingFound(page);
      });
    }
  });
}

test.describe('an unknown path', () => {
  test.use({ expectedStatuses: [404] });
  test('axe finds nothing on the not-found page', async ({ page }) => {
    await page.goto('/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNothingFound(page);
  });
});
