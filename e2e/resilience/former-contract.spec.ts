import { contractVersion, formerContractVersion } from '@daybook/contract/release';
import { readBuiltRelease, variantOf } from '@daybook/runner/releases';
import { startOwnSite, versionNumber } from '../support/own-site.ts';
import { expect, test } from '../support/test.ts';

const remote = 'mf-privacy';

test('a release of the contract before works beside one of the current contract', async ({ page, started }) => {
  const site = await startOwnSite(started);
  const { release, files } = variantOf(readBuiltRelease(remote), versionNumber(1));
  const former = { release: { ...release, contract: formerContractVersion } as typeof release, files };
  await site.push(former);

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
