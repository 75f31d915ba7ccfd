import { saveData } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { test } from '../support/releases.ts';
import { expect } from '../support/test.ts';

const newer = '1.9.0-00000009';

/** Goes to a page by the footer's link, within the document. */
async function follow(page: Page, link: string, remote: string): Promise<void> {
  // By the keyboard: a pointer would pass over other links, whose pages are loaded ahead.
  await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).press('Enter');
  await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
}

// Pages behind links that are being read would be loaded ahead, and that is a reason to look, too.
test.beforeEach(({ page }) => page.addInitScript(saveData));

/** A minute passes; the page's own timers stand still. */
const aMinutePasses = (page: Page) => page.clock.setSystemTime(Date.now() + 61_000);

test('a page that is open for long takes a new release of a remote that it has not loaded yet', async ({
  page,
  releases,
}) => {
  await page.goto('/unsubscribe');
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  releases.change('mf-legal', await releases.serve('mf-legal', newer, '/terms', { heading: 'The new terms' }));
  await follow(page, 'Terms of Service', 'mf-legal');
  await expect(page.getByRole('heading', { level: 1, name: 'The new terms' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${newer}`);
});

test('a page keeps the release of a remote that it has loaded, and the next document takes the new one', async ({
  page,
  releases,
}) => {
  await page.goto('/terms');
  const shown = await page.locator('[data-remote^="mf-legal@"]').getAttribute('data-remote');
  releases.change('mf-legal', await releases.serve('mf-legal', newer, '/terms', { heading: 'The new terms' }));
  await aMinutePasses(page);
  await follow(page, 'Unsubscribe', 'mf-privacy');
  expect(releases.looks).toBe(1);
  await follow(page, 'Terms of Service', 'mf-legal');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
  await follow(page, 'Privacy Policy', 'mf-legal');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
});

test('a page looks for new releases once a minute at most, and never where the visitor stays', async ({
  page,
  releases,
}) => {
  await page.goto('/terms');
  await expect(page.locator('[data-remote^="mf-legal@"]')).toBeVisible();
  await follow(page, 'Privacy Policy', 'mf-legal');
  await follow(page, 'Terms of Service', 'mf-legal');
  expect(releases.looks).toBe(0);
  await aMinutePasses(page);
  await follow(page, 'Privacy Policy', 'mf-legal');
  await expect.poll(() => releases.looks).toBe(1);
  await follow(page, 'Terms of Service', 'mf-legal');
  await follow(page, 'Privacy Policy', 'mf-legal');
  expect(releases.looks).toBe(1);
});

test('a page that the site has moved meanwhile is asked of the server', async ({ page, releases }) => {
  await page.goto('/unsubscribe');
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  const opened = await page.evaluate(() => performance.timeOrigin);
  releases.change('mf-legal', { routes: [] });
  await follow(page, 'Terms of Service', 'mf-legal');
  expect(await page.evaluate(() => performance.timeOrigin)).not.toBe(opened);
});

test.describe('where the registry can’t be had', () => {
  test.use({ expectedStatuses: [500] });

  test('nothing is loaded unchecked, and the page can be tried again', async ({ page, releases }) => {
    await page.goto('/unsubscribe');
    await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
    await page.route('**/registry.json', (route) => route.fulfill({ status: 500, body: 'Oh' }));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page.getByRole('alert')).toHaveAttribute('data-failed-remote', /^mf-legal@/);
    expect(asked.filter((url) => url.includes('/remotes/mf-legal/'))).toEqual([]);
    // That no release could be learnt of says nothing against one.
    expect(releases.reports).toEqual([]);

    await page.unroute('**/registry.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
  });
});
