import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@daybook/testing/ports';
import { stopChild } from '@daybook/testing/processes';
import { startShellServer } from '@daybook/testing/site';
import { remotes } from '@daybook/testing/workspaces';
import { test as base, expect } from '../support/test.ts';

interface Copy {
  readonly address: string;
  /** Takes a remote's mirrored files away, and puts them back. */
  hide(remote: string): void;
  restore(remote: string): void;
}

/** A shell server with a release store of its own, in front of the common backend. */
const test = base.extend<{ copy: Copy }>({
  copy: async ({ page }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'daybook-releases-'));
    const shell = await startShellServer(
      // It looks at the origins once, so that it does not bring back what the test has taken away.
      { port: await findFreePort(), releasesFolder: folder, releasesInterval: 3600 },
      process.env.BACKEND_ADDRESS ?? '',
    );
    await use({
      address: shell.address,
      hide: (remote) => renameSync(path.join(folder, remote), path.join(folder, `${remote}.hidden`)),
      restore: (remote) => renameSync(path.join(folder, `${remote}.hidden`), path.join(folder, remote)),
    });
    // Its prefetches would be cut off with the server.
    await page.goto('about:blank');
    await stopChild(shell.child);
    rmSync(folder, { recursive: true, force: true });
  },
});

// The files answer 404, the page 503 once the server has noticed; a report of a release that is gone is refused with 400.
test.use({ expectedStatuses: [404, 503, 400], expectedMessages: [/MIME|integrity/i] });

const pages = [
  ['mf-legal', '/terms', 'Terms of Service'],
  ['mf-privacy', '/unsubscribe', 'Unsubscribe'],
  ['mf-offers', '/thank-you', "You're Subscribed!"],
] as const;

for (const [remote, path, heading] of pages) {
  test(`${path} shows its fallback while the files of ${remote} are gone, and loads on retry once they are back`, async ({
    page,
    copy,
  }) => {
    await page.goto(`${copy.address}/`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    copy.hide(remote);

    await page.goto(copy.address + path);
    const fallback = page.getByRole('alert');
    await expect(fallback).toContainText('This page is not available right now');
    await expect(fallback).toContainText(new RegExp(`${remote}@\\d`));
    await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();

    await fallback.getByRole('link', { name: 'Return to the home page' }).click();
    await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
    await page.goBack();
    await expect(fallback).toBeVisible();

    copy.restore(remote);
    // The server looks at its store again and again.
    await expect.poll(async () => (await page.request.get(copy.address + path)).status()).toBe(200);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
  });
}

test('a dead remote is no matter for a page that is not its own', async ({ page, copy }) => {
  await page.goto(`${copy.address}/`);
  for (const remote of remotes.filter((name) => name !== 'mf-signup')) copy.hide(remote);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
});
