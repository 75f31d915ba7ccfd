import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RunningSite, startSite, untilMirrored } from '@daybook/testing/site';
import { entriesOf } from '../support/entries.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, newAddress, test } from '../support/test.ts';

let folder: string;
let site: RunningSite;

/** A site with a rate limit of one signup a minute. */
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-e2e-limit-'));
  site = await startSite({
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'signups-with-a-limit-'.repeat(2),
    releasesFolder: folder,
    backendVariables: { LIMIT_GLOBAL_SIGNUPS: '1' },
  });
  await untilMirrored(site.address);
});

test.afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.use({ expectedStatuses: [429] });

test('above the global rate limit, the visitor is asked to try again later and the address is retained', async ({
  page,
  database,
}) => {
  const used = await page.request.post(`${site.address}/api/waitlist`, { data: { email: newAddress() } });
  expect(used.status()).toBe(201);
  const address = newAddress();
  const { dialog, email, submit } = await openSignupDialog(page, site.address);
  await email.fill(address);
  await submit.click();
  await expect(dialog.getByRole('alert')).toContainText('too many requests at once. Please try again in');
  await expect(email).toHaveValue(address);
  expect(await entriesOf(database, address)).toEqual([]);
});
