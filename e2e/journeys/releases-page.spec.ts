import { accessibilityFindings, sidewaysScroll } from '@daybook/runner/page-checks';
import { readBuiltRelease, variantOf } from '@daybook/runner/releases';
import type { Page } from '@playwright/test';
import { headingOf } from '../support/built-pages.ts';
import { type OwnSite, startOwnSite } from '../support/own-site.ts';
import { test as base, expect } from '../support/test.ts';

const next = '9.0.0-0000000b';
const built = readBuiltRelease('mf-legal');
const first = built.release.version;

/** A site with two releases of mf-legal, of which `next` is active. */
const test = base.extend<{ site: OwnSite }>({
  site: async ({ started }, use) => {
    const site = await startOwnSite(started);
    await site.push(variantOf(built, next));
    await use(site);
  },
});

// The sign-in page.
test.use({ expectedStatuses: [401] });

const legalOf = (page: Page) => page.getByRole('region', { name: 'mf-legal' });
const lastOfLog = (page: Page) => page.getByRole('table', { name: 'Log' }).getByRole('row').nth(1);

/** Expects the message about a change; it has the focus, so that screen readers announce it. */
async function expectDone(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('status')).toContainText(text);
  await expect(page.getByRole('status')).toBeFocused();
}

async function expectNothingFound(page: Page): Promise<void> {
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
}

test('an operator signs in and rolls back by keyboard, and visitors get the previous release at once', async ({
  page,
  site,
  context,
}) => {
  const visitor = await context.newPage();
  await visitor.goto(`${site.url}/terms`);
  await expect(visitor.locator(`[data-remote="mf-legal@${next}"]`)).toBeVisible();

  await page.goto(`${site.url}/_releases`);
  await page.keyboard.press('Tab');
  await page.keyboard.type(site.operatorToken);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ann');
  await page.keyboard.press('Enter');
  const reason = legalOf(page).getByLabel(`for the log, rolling back mf-legal from ${next} to ${first}`);
  await reason.focus();
  await page.keyboard.type('The terms have no heading');
  await page.keyboard.press('Tab');
  await expect(legalOf(page).getByRole('button', { name: `Roll back mf-legal from ${next}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await expectDone(page, `mf-legal: ${next} is rolled back; all visitors get ${first}.`);
  await expect.poll(() => site.versionOf('mf-legal')).toBe(first);

  await visitor.reload();
  await expect(visitor.locator(`[data-remote="mf-legal@${first}"]`)).toBeVisible();
  await expect(visitor.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeVisible();
  await expect(lastOfLog(page)).toContainText(/rollback from.*Ann.*The terms have no heading/);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 800 });
  await expectNothingFound(page);
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.getByRole('status')).toBeHidden();
});

test('the page is accessible before signing in, and while a remote is held and a canary runs', {
  tag: '@full',
}, async ({ page, site }) => {
  await site.deploy('mf-legal', { action: 'offer', version: first, percent: 50 });
  await site.deploy('mf-legal', { action: 'hold', why: 'A lawyer has to look at it' });
  await page.goto(`${site.url}/_releases`);
  await expectNothingFound(page);
  await page.getByLabel('Operator token').fill(site.operatorToken);
  await page.getByLabel('Your name, for the log').fill('Ann');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(legalOf(page).getByRole('row', { name: `${first} Canary` })).toContainText('50 %');
  await expectNothingFound(page);
  await legalOf(page).getByRole('button', { name: 'Lift mf-legal' }).click();
  await expectDone(page, `mf-legal: no longer held; visitors get ${next}.`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.goto(`${site.url}/_releases`);
  await expect(page.getByLabel('Operator token')).toBeVisible();
});
