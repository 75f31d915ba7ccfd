import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stopChild } from '@daybook/testing/processes';
import { siteRoutes } from '@daybook/testing/routes';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { arriveRecordingShifts, layoutShift } from '../support/layout-shifts.ts';
import { test as base, expect } from '../support/test.ts';

const supportAddress = 'questions@money-morning.example';
const sponsor = 'https://partners.example/alarm?from=daybook&x=1';

/** A shell server with all settings that pages show. */
const test = base.extend<object, { address: string }>({
  address: [
    async ({}, use) => {
      await using started = new AsyncDisposableStack();
      const { path: releasesFolder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-settings-')));
      const { address, child } = await startShellServer(
        {
          releasesFolder,
          shellVariables: {
            SUPPORT_ADDRESS: supportAddress,
            SPONSOR_VIVINT_URL: sponsor,
            HOUSING_GUIDE_URL: 'https://partners.example/housing',
            PRIVACY_REQUESTS: 'record',
          },
        },
        process.env.BACKEND_ADDRESS ?? '',
      );
      started.defer(() => stopChild(child));
      await untilMirrored(address);
      await use(address);
    },
    { scope: 'worker' },
  ],
});

for (const { path: route, address: routeAddress } of siteRoutes()) {
  test(`${route} with the operator's settings hydrates without layout shift or console messages`, async ({
    page,
    address,
    consoleLines,
  }) => {
    await arriveRecordingShifts(page, address + routeAddress);
    await expect.poll(() => consoleLines).toEqual([routeAddress]);
    expect(await layoutShift(page)).toEqual([]);
    expect(await page.content()).not.toMatch(/settings-[\w-]+(?:\.invalid|@|-year)|support@daybook\.example/);
  });
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('pages show the operator’s support address, and offers link to the addresses in the settings', async ({
    page,
    address,
  }) => {
    await page.goto(`${address}/accessible-view`);
    for (const link of await page.locator('a[href^="mailto:"]').all()) {
      await expect(link).toHaveText(supportAddress);
      await expect(link).toHaveAttribute('href', new RegExp(`^mailto:${supportAddress}`));
    }
    await page.goto(`${address}/offer-landing/emergency-pendant`);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: supportAddress })).toBeVisible();
    await expect(page.locator(`a[href="${sponsor}"]`)).toBeVisible();
  });
});
