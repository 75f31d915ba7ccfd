import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { remotes } from '@daybook/runner/workspaces';
import { headingOf } from '../support/built-pages.ts';
import { startOwnSite } from '../support/own-site.ts';
import { test as base, expect } from '../support/test.ts';

interface Copy {
  readonly address: string;
  /** Hides a remote's cached files, so that they can't be fetched again either, and restores them. */
  hide(remote: string): void;
  restore(remote: string): void;
}

const test = base.extend<{ copy: Copy }>({
  copy: async ({ started }, use) => {
    const { address, releasesFolder } = await startOwnSite(started);
    const place = (name: string) => path.join(releasesFolder, name);
    await use({
      address,
      hide: (remote) => {
        renameSync(place(remote), place(`${remote}.hidden`));
        writeFileSync(place(remote), 'in the way');
      },
      restore: (remote) => {
        rmSync(place(remote));
        renameSync(place(`${remote}.hidden`), place(remote));
      },
    });
  },
});

// Files respond with 404, the page with 503 once the server has detected it, a report of a missing release with 400.
test.use({ expectedStatuses: [404, 503, 400], expectedMessages: [/MIME|integrity/i] });

test('a page shows its fallback while the files of its remote are missing, and a retry works after they are restored', async ({
  page,
  copy,
}) => {
  await page.goto(`${copy.address}/`);
  for (const remote of remotes.filter((name) => name !== 'mf-signup')) copy.hide(remote);

  await page.goto(`${copy.address}/unsubscribe`);
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page is not available right now');
  // With its version, unless the server has detected the loss before.
  await expect(fallback).toContainText('mf-privacy');
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

  // Pages of other remotes are not affected.
  await fallback.getByRole('link', { name: 'Return to the home page' }).click();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
  await page.reload();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
  await page.goBack();
  await expect(fallback).toBeVisible();

  copy.restore('mf-privacy');
  // The server looks at its folder every half second. Its page is in memory, so only a file says whether it has seen them.
  const { remotes: registered } = await (await page.request.get(`${copy.address}/registry.json`)).json();
  const { entry } = registered.find(({ name }: { name: string }) => name === 'mf-privacy');
  await expect.poll(async () => (await page.request.get(copy.address + entry)).status()).toBe(200);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/unsubscribe') })).toBeVisible();
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  // Stopping the server would abort the page's prefetches.
  await page.goto('about:blank');
});
