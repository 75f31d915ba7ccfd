import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractVersion, type Release } from '@daybook/contract/release';
import { stopChild } from '@daybook/testing/processes';
import { handWrittenEntry, integrityOf, writeRelease } from '@daybook/testing/releases';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { remoteOrigins, remotes } from '@daybook/testing/workspaces';
import { test as base, expect } from '../support/test.ts';

interface Site {
  readonly address: string;
  /** Publishes the first release of mf-press, with a page at /press, to its origin. */
  releasePress(): void;
}

const entry = 'remoteEntry.00000001.js';
const version = '1.0.0-00000001';
const source = Buffer.from(
  handWrittenEntry('mf-press', version, ['/press'], "() => React.createElement('h1', null, 'Press')"),
);
const release: Release = {
  name: 'mf-press',
  version,
  contract: contractVersion,
  designSystem: null,
  entry,
  routes: [{ path: '/press', title: 'Press', description: 'For journalists.', frame: 'site', files: [] }],
  files: { [entry]: { integrity: integrityOf(Buffer.from(source)), size: source.length } },
};

/** A site with an additional remote that has no release yet. */
const test = base.extend<{ site: Site }>({
  site: async ({}, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'daybook-missing-'));
    const press = path.join(folder, 'press');
    const { address, child } = await startShellServer(
      {
        remotes: `${remoteOrigins()},mf-press=file:${press}`,
        releasesFolder: path.join(folder, 'releases'),
        releasesInterval: 0.2,
        output: 'ignore',
      },
      process.env.BACKEND_ADDRESS ?? '',
    );
    await untilMirrored(address, remotes);
    await use({
      address,
      releasePress() {
        writeRelease(press, { release, files: new Map([[entry, source]]) });
      },
    });
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  },
});

test.use({ expectedStatuses: [503] });

test('an unknown path shows a fallback that names the remote without a release, and a retry works after its release', async ({
  page,
  request,
  site,
}) => {
  await page.goto(`${site.address}/press`);
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page is not available right now');
  await expect(fallback).toContainText('Please try again in about 10 seconds');
  await expect(fallback).toContainText('mf-press');
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await expect(page).toHaveTitle('This page is not available right now | Daybook');

  site.releasePress();
  await expect.poll(async () => (await request.get(`${site.address}/press`)).status()).toBe(200);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Press' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-press@${version}`);
});
