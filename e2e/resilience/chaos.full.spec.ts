import {
  brokenVariantOf,
  handWritten,
  type ReleaseVariant,
  readBuiltRelease,
  variantOf,
} from '@daybook/testing/builds';
import { untilHydrated } from '@daybook/testing/page-checks';
import { remotes } from '@daybook/testing/workspaces';
import type { Browser, Page } from '@playwright/test';
import { type OwnSite, pathOf, startOwnSite, versionNumber } from '../support/own-site.ts';
import { expect, test } from '../support/test.ts';

// Releases that pass every check and fail in the browser: the pages of all other remotes must work. Files that are lost
// in transit are in releases.spec.ts. `npm run chaos` runs every case with each remote, or with the chosen ones.

test.use({ expectedStatuses: [503] });

const chosen = process.env.CHAOS_REMOTES?.split(',');
const tested = remotes.filter((remote) => chosen?.includes(remote) ?? true);

/** Returns what a loaded page shows: `name@version`, or its fallback. */
async function shownOn(page: Page): Promise<string> {
  const settled = page
    .locator('[data-remote], [data-failed-remote]')
    .filter({ has: page.getByRole('heading', { level: 1 }) })
    .first();
  await settled.waitFor({ timeout: 60_000 });
  const failed = await settled.getAttribute('data-failed-remote');
  return failed === null ? ((await settled.getAttribute('data-remote')) ?? '') : `fallback for ${failed}`;
}

let visitors = 0;

/** Opens the page of a remote as a new visitor in a network of their own; returns what it shows after hydration. */
async function visit(browser: Browser, site: OwnSite, remote: string): Promise<string> {
  visitors += 1;
  const network = `203.0.${visitors >> 8}.${visitors & 255}`;
  const page = await browser.newPage({ extraHTTPHeaders: { 'X-Forwarded-For': network } });
  try {
    await page.goto(site.url + pathOf[remote], { waitUntil: 'domcontentloaded' });
    await untilHydrated(page, 60_000);
    return await shownOn(page);
  } finally {
    await page.close();
  }
}

async function expectOthersToWork(browser: Browser, site: OwnSite, failing: string): Promise<void> {
  for (const other of remotes.filter((name) => name !== failing))
    expect(await visit(browser, site, other)).toMatch(new RegExp(`^${other}@`));
}

const cases: readonly (readonly [
  string,
  'load' | 'render',
  (built: ReleaseVariant, version: string) => ReleaseVariant,
])[] = [
  ['entry throws', 'load', brokenVariantOf],
  [
    'page throws at render',
    'render',
    (built, version) => handWritten(built, version, "() => { throw new Error('chaos'); }"),
  ],
];

for (const remote of tested)
  for (const [name, kind, breakRelease] of cases.slice(0, chosen || remote === 'mf-legal' ? 2 : 1))
    test(`${remote}, ${name}`, { tag: '@chaos' }, async ({ browser, started }) => {
      const site = await startOwnSite(started);
      const built = readBuiltRelease(remote);
      const expectGood = async (version: string) => {
        expect(await visit(browser, site, remote)).toBe(`${remote}@${version}`);
        await expectOthersToWork(browser, site, remote);
      };
      const [good, broken, repaired] = [versionNumber(1), versionNumber(2), versionNumber(3)];
      await site.push(variantOf(built, good));
      await site.push(breakRelease(built, broken));
      await expectGood(good);
      await site.untilCounted('daybook_remote_failures_total', { remote, version: broken, kind });
      await site.push(variantOf(built, repaired));
      await expectGood(repaired);
    });

for (const remote of tested.filter((name) => chosen || name === 'mf-legal'))
  test(`${remote}, no release yet`, { tag: '@chaos' }, async ({ page, browser, started }) => {
    const site = await startOwnSite(started, { isEmpty: true });
    for (const other of remotes.filter((name) => name !== remote)) await site.push(readBuiltRelease(other));
    await page.goto(site.url + pathOf[remote], { waitUntil: 'domcontentloaded' });
    expect(await shownOn(page)).toBe(`fallback for ${remote}`);
    await expectOthersToWork(browser, site, remote);
    await site.push(readBuiltRelease(remote));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
  });
