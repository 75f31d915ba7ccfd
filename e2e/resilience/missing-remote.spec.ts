import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

test.use({ expectedStatuses: [404] });

/** Pages say that a remote has no release yet, or that none is missing. */
async function missing(page: Page, names: readonly string[]): Promise<void> {
  await page.unroute('**/press');
  await page.route('**/press', async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    await route.fulfill({ response: answer, body: html.replace('"missing":[]', `"missing":${JSON.stringify(names)}`) });
  });
}

test('an unknown path may be a page of a remote that has no release yet: it is named, and can be tried again', async ({
  page,
}) => {
  await missing(page, ['mf-press']);
  await page.goto('/press');
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page is not available right now');
  await expect(fallback).toContainText('mf-press');
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await expect(page).toHaveTitle('This page is not available right now | Daybook');

  await missing(page, []);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to the home page' }).click();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
});
