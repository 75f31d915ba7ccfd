import { mkdtempDisposableSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopChild } from '@daybook/testing/processes';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { headingOf } from '../support/built-pages.ts';
import { test as base, expect } from '../support/test.ts';

interface Copy {
  readonly address: string;
  /** Hides a remote's cached files, so that they can't be fetched again either, and restores them. */
  hide(remote: string): void;
  restore(remote: string): void;
}

/** A shell server with a separate release store, using the common backend. */
const test = base.extend<{ copy: Copy }>({
  copy: async ({ started }, use) => {
    const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-releases-')));
    const shell = await startShellServer(
      // Polls the origins only once.
      { releasesFolder: folder, releasesInterval: 3600 },
      process.env.BACKEND_ADDRESS ?? '',
    );
    started.defer(() => stopChild(shell.child));
    await untilMirrored(shell.address);
    await use({
      address: shell.address,
      hide: (remote) => {
        renameSync(path.join(folder, remote), path.join(folder, `${remote}.hidden`));
        writeFileSync(path.join(folder, remote), 'in the way');
      },
      restore: (remote) => {
        rmSync(path.join(folder, remote));
        renameSync(path.join(folder, `${remote}.hidden`), path.join(folder, remote));
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
  // The server polls its cache.
  await expect.poll(async () => (await page.request.get(`${copy.address}/unsubscribe`)).status()).toBe(200);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/unsubscribe') })).toBeVisible();
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
  // Stopping the server would abort the page's prefetches.
  await page.goto('about:blank');
});
