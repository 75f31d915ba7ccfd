import { expect, test } from '@daybook/testing/browser-test';
import { brokenVariantOf, handWritten, readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { type OwnSite, pathOf, startOwnSite, versionNumber } from '@daybook/testing/own-site';
import { untilHydrated } from '@daybook/testing/page-checks';
import { remotes } from '@daybook/testing/workspaces';
import type { Browser } from '@playwright/test';

// Releases that pass every check and fail in the browser: the pages of all other remotes must work. `npm run chaos`
// runs every case with each remote, or with the chosen ones.

const chosen = process.env.CHAOS_REMOTES?.split(',');
const tested = remotes.filter((remote) => chosen?.includes(remote) ?? true);

let visitors = 0;

/** Opens a page of each remote as a new visitor in a network of their own; returns the releases that they show. */
async function visitAll(browser: Browser, site: OwnSite): Promise<Record<string, string | null>> {
  const shown: Record<string, string | null> = {};
  for (const remote of remotes) {
    visitors += 1;
    const headers = { 'X-Forwarded-For': `203.0.${visitors >> 8}.${visitors & 255}` };
    const page = await browser.newPage({ extraHTTPHeaders: headers });
    await page.goto(site.url + pathOf[remote], { waitUntil: 'domcontentloaded' });
    await untilHydrated(page, 60_000);
    const heading = page.getByRole('heading', { level: 1 });
    shown[remote] = await page.locator('[data-remote]').filter({ has: heading }).first().getAttribute('data-remote');
    await page.close();
  }
  return shown;
}

const throwing = "() => { throw new Error('chaos'); }";
const cases = [
  ['its entry throws', 'load', brokenVariantOf],
  ['its pages throw', 'render', (...[built, version]) => handWritten(built, version, throwing)],
] as const satisfies readonly (readonly [string, string, typeof brokenVariantOf])[];

for (const remote of tested)
  for (const [name, kind, breakRelease] of cases.slice(0, chosen || remote === 'mf-legal' ? 2 : 1))
    test(`${remote} is shown from its previous release if ${name}`, { tag: '@chaos' }, async ({ browser, started }) => {
      const site = await startOwnSite(started);
      const built = readBuiltRelease(remote);
      const before = await visitAll(browser, site);
      const expectVersion = async (version: string) =>
        expect(await visitAll(browser, site)).toEqual({ ...before, [remote]: `${remote}@${version}` });
      const [good, broken, repaired] = [versionNumber(1), versionNumber(2), versionNumber(3)];
      await site.publish(variantOf(built, good));
      await site.publish(breakRelease(built, broken));
      await expectVersion(good);
      const failures = () => site.metric('daybook_remote_failures_total', { remote, version: broken, kind });
      await expect.poll(failures).toBeGreaterThan(0);
      await site.publish(variantOf(built, repaired));
      await expectVersion(repaired);
    });
