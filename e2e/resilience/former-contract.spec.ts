import { contractVersion, formerContractVersion } from '@daybook/contract/release';
import { readBuiltRelease, variantOf } from '@daybook/testing/releases';
import { FaultySite, versionNumber } from '../support/faulty-site.ts';
import { test as base, expect } from '../support/test.ts';

const remote = 'mf-privacy';

const test = base.extend<{ site: FaultySite }>({
  site: async ({ started }, use) => {
    const site = new FaultySite({ of: ['mf-legal', remote] });
    started.defer(() => site.stop());
    await use(site);
  },
});

test('a release of the contract before works beside one of the current contract', async ({ page, site }) => {
  const { release, files } = variantOf(readBuiltRelease(remote), versionNumber(1));
  const former = { release: { ...release, contract: formerContractVersion } as typeof release, files };
  site.origin(remote).offer(former);
  await site.start();
  await site.untilActive(remote, former.release.version);

  const terms = page.locator('[data-remote^="mf-legal@"]').getByRole('heading', { level: 1 });
  const form = page.locator(`[data-remote="${remote}@${former.release.version}"]`);
  expect(readBuiltRelease('mf-legal').release.contract).toBe(contractVersion);

  await page.goto(`${site.address}/terms`);
  await expect(terms).toBeVisible();
  await page.getByRole('contentinfo').locator('a[href="/unsubscribe"]').click();
  await expect(form.getByRole('heading', { level: 1 })).toBeVisible();
  await form.getByRole('button').click();
  await expect(form.getByRole('alert')).toBeVisible();
  await page.goBack();
  await expect(terms).toBeVisible();

  // Composed by the server, and hydrated by its own code with React and the platform of this shell.
  await page.goto(`${site.address}/unsubscribe`);
  await form.getByRole('button').click();
  await expect(form.getByRole('alert')).toBeVisible();
});
