import { saveData } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { test } from '../support/releases.ts';
import { expect } from '../support/test.ts';

const newer = '1.9.0-00000009';

/** Navigates by a footer link, within the document. */
async function follow(page: Page, link: string, remote: string): Promise<void> {
  // By keyboard: a pointer would hover other links and prefetch their pages.
  await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).press('Enter');
  await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
}

// Otherwise visible links prefetch their pages, which polls the registry, too.
test.beforeEach(({ page }) => page.addInitScript(saveData));

/** Advances the clock by a minute without running the page's timers. */
const aMinutePasses = (page: Page) => page.clock.setSystemTime(Date.now() + 61_000);

test('a long-open page uses the new release of a remote that it has not loaded yet', async ({ page, releases }) => {
  await page.goto('/unsubscribe');
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  releases.change('mf-legal', await releases.serve('mf-legal', newer, '/terms', { heading: 'The new terms' }));
  await follow(page, 'Terms of Service', 'mf-legal');
  await expect(page.getByRole('heading', { level: 1, name: 'The new terms' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${newer}`);
});

test('a page keeps the loaded release of a remote, and the next document uses the new one', async ({
  page,
  releases,
}) => {
  await page.goto('/terms');
  const shown = await page.locator('[data-remote^="mf-legal@"]').getAttribute('data-remote');
  releases.change('mf-legal', await releases.serve('mf-legal', newer, '/terms', { heading: 'The new terms' }));
  await aMinutePasses(page);
  await follow(page, 'Unsubscribe', 'mf-privacy');
  expect(releases.polls).toBe(1);
  await follow(page, 'Terms of Service', 'mf-legal');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
  await follow(page, 'Privacy Policy', 'mf-legal');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
});

test('a page polls for new releases at most once a minute, and only on navigation', async ({ page, releases }) => {
  await page.goto('/terms');
  await expect(page.locator('[data-remote^="mf-legal@"]')).toBeVisible();
  await follow(page, 'Privacy Policy', 'mf-legal');
  await follow(page, 'Terms of Service', 'mf-legal');
  expect(releases.polls).toBe(0);
  await aMinutePasses(page);
  await follow(page, 'Privacy Policy', 'mf-legal');
  await expect.poll(() => releases.polls).toBe(1);
  await follow(page, 'Terms of Service', 'mf-legal');
  await follow(page, 'Privacy Policy', 'mf-legal');
  expect(releases.polls).toBe(1);
});

test('a page whose route has moved to another remote is requested from the server', async ({ page, releases }) => {
  await page.goto('/unsubscribe');
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  const opened = await page.evaluate(() => performance.timeOrigin);
  releases.change('mf-legal', { routes: [] });
  await follow(page, 'Terms of Service', 'mf-legal');
  expect(await page.evaluate(() => performance.timeOrigin)).not.toBe(opened);
});

test.describe('when the registry is unavailable', () => {
  test.use({ expectedStatuses: [500] });

  test('nothing is loaded without an integrity check, and the page can be retried', async ({ page, releases }) => {
    await page.goto('/unsubscribe');
    await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
    await page.route('**/registry.json', (route) => route.fulfill({ status: 500, body: 'Oh' }));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expect(page.getByRole('alert')).toHaveAttribute('data-failed-remote', /^mf-legal@/);
    expect(requested.filter((url) => url.includes('/remotes/mf-legal/'))).toEqual([]);
    // An unavailable registry is not a failure of a release.
    expect(releases.reports).toEqual([]);

    await page.unroute('**/registry.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
  });
});
