import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@daybook/testing/ports';
import { type RunningSite, startSite } from '@daybook/testing/site';
import { entriesOf } from '../support/entries.ts';
import { openSignupDialog } from '../support/signup-dialog.ts';
import { expect, newAddress, test } from '../support/test.ts';

let folder: string;
let site: RunningSite;

/** A site on which one signs up a minute without work; a secret of its own, so that it counts by itself. */
test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'daybook-e2e-work-'));
  site = await startSite({
    port: await findFreePort(),
    databaseUrl: process.env.DATABASE_URL ?? '',
    cookieSecret: 'signups-with-some-work-'.repeat(2),
    releasesFolder: folder,
    backendVariables: { LIMIT_GLOBAL_SIGNUPS: '1' },
  });
});

test.afterAll(async () => {
  await site?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.use({ expectedStatuses: [429] });

test('when very many sign up, the browser does some work, and the visitor sees a success', async ({
  page,
  database,
}) => {
  test.slow();
  const used = await page.request.post(`${site.address}/api/waitlist`, { data: { email: newAddress() } });
  expect(used.status()).toBe(201);
  const address = newAddress();
  const { dialog, email, submit } = await openSignupDialog(page, site.address);
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url().endsWith('/api/waitlist')) statuses.push(response.status());
  });
  await email.fill(address);
  await submit.click();
  // How many hashes it takes is chance: one visitor in a hundred needs five times as many as usual.
  await expect(dialog.getByText("You're all set!")).toBeVisible({ timeout: 60_000 });
  expect(statuses).toEqual([429, 201]);
  expect(await entriesOf(database, address)).toHaveLength(1);
});
