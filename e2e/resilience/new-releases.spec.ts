import { saveData } from '@daybook/runner/page-checks';
import type { Page } from '@playwright/test';
import { test } from '../support/releases.ts';
import { expect } from '../support/test.ts';

const newer = '1.9.0-000000000009';

/** Navigates by a footer link, within the document. */
async function follow(page: Page, link: string, remote: string): Promise<void> {
  // By keyboard: a pointer would hover other links and prefetch their pages.
  await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).press('Enter');
  await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
}

// Otherwise visible links prefetch their pages, which polls the remote index, too.
test.beforeEach(({ page }) => page.addInitScript(saveData));

test('a long-open page uses the new release of a remote that it has not loaded yet, and keeps a loaded one', async ({
  page,
  releases,
}) => {
  await page.goto('/unsubscribe');
  const shown = await page.locator('[data-remote^="mf-privacy@"]').getAttribute('data-remote');
  for (const [remote, heading] of [
    ['mf-legal', 'The new terms'],
    ['mf-privacy', 'The new form'],
  ] as const)
    releases.change(remote, await releases.serve(remote, newer, { heading }));
  // Without running the page's timers.
  await page.clock.setSystemTime(Date.now() + 61_000);
  await follow(page, 'Terms of Service', 'mf-legal');
  expect(releases.polls).toBe(1);
  await expect(page.getByRole('heading', { level: 1, name: 'The new terms' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${newer}`);
  await follow(page, 'Unsubscribe', 'mf-privacy');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
});
