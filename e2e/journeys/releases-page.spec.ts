import { readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { accessibilityFindings, sidewaysScroll } from '@daybook/testing/page-checks';
import { type OwnSite, startOwnSite } from '../support/own-site.ts';
import { test as base, expect } from '../support/test.ts';

const next = '9.0.0-00000000000b';
const built = readBuiltRelease('mf-legal');

const test = base.extend<{ site: OwnSite }>({
  site: async ({ started }, use) => {
    const site = await startOwnSite(started);
    await site.push(variantOf(built, next));
    await use(site);
  },
});

const addressOf = ({ url, tokens }: OwnSite) => `${url.replace('//', `//ann:${tokens.operatorToken}@`)}/_releases`;

// Fetched by a script.
test.use({ expectedStatuses: [401, 403] });

test('an operator reads the releases page on a phone, in the dark', async ({ page, site }) => {
  await page.goto(addressOf(site));
  const legal = page.getByRole('region', { name: 'mf-legal' });
  await expect(legal).toContainText(`all visitors get ${next}`);
  await expect(page.locator('form, button, script')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 800 });
  // The page itself runs no script, so axe checks a copy of it.
  const copy = await page.content();
  await page.goto('about:blank');
  await page.setContent(copy);
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0);
});

test('a script of the site cannot read the page that an operator has opened', async ({ page, site }) => {
  await page.goto(addressOf(site));
  await page.goto(site.url);
  const url = `${site.url}/_releases`;
  expect(await page.evaluate((each) => fetch(each).then(({ status }) => status), url)).toBe(403);
  const [opened] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate((each) => void Object.assign(globalThis, { opened: window.open(each) }), url),
  ]);
  await opened.waitForLoadState();
  const read = () =>
    page.evaluate(() => (globalThis as unknown as { opened: Window }).opened.document.body.textContent);
  await expect(read()).rejects.toThrow(/cross-origin|SecurityError|null/);
});
