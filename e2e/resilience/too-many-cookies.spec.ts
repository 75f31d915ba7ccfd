import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import type { Page } from '@playwright/test';
import { headingOf } from '../support/built-pages.ts';
import { expect, test, untilReady } from '../support/test.ts';

test.use({ expectedStatuses: [431] });

const siteUrl = () => process.env.SITE_URL ?? '';

/** The site, and the same behind an edge. */
const addresses: Readonly<Record<string, (started: AsyncDisposableStack) => Promise<string>>> = {
  'the edge': async (started) => {
    const nginx = findNginx();
    test.skip(!nginx, 'nginx is not installed.');
    const folder = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-cookies-'))).path;
    const { url } = await startEdge(nginx ?? '', started, folder, siteUrl(), {});
    return url.replace('127.0.0.1', 'localhost');
  },
  'the shell server': async () => siteUrl(),
};

/** What scripts of the site, or of another one of its domain, can set. */
const setCookies = (page: Page, count: number) =>
  page.evaluate((all) => {
    const large = Array.from({ length: all }, (_, each) => `large${each}=${'x'.repeat(4_000)}; path=/; max-age=9999`);
    for (const cookie of [...large, `deep=${'x'.repeat(4_000)}; path=/terms`, 'theme=dark; path=/; max-age=9999']) {
      // biome-ignore lint/suspicious/noDocumentCookie: as the scripts of other sites do
      document.cookie = cookie;
    }
  }, count);

const names = async (page: Page) => (await page.context().cookies()).map(({ name }) => name).sort();

for (const [name, start] of Object.entries(addresses)) {
  test(`cookies that are too large for ${name} are deleted by a press, without those that are not in the way`, async ({
    page,
    started,
  }) => {
    const url = await start(started);
    await page.context().addCookies([{ name: 'waitlist', value: 'x'.repeat(300), url: url, httpOnly: true }]);
    await page.goto(url);
    await setCookies(page, 9);
    // Browsers store cookies of scripts after the script has gone on.
    await expect.poll(async () => (await names(page)).length).toBe(12);
    const response = await page.goto(`${url}/terms`);
    expect(response?.status()).toBe(431);
    await expect(page.getByRole('heading', { level: 1, name: 'Your browser sends too much' })).toBeVisible();
    await page.getByRole('button', { name: 'Delete cookies and continue' }).click();
    await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeVisible();
    expect(await names(page)).toEqual(expect.arrayContaining(['theme', 'waitlist']));
    await page.keyboard.press('Shift');
    await untilReady(page);
  });

  test(`cookies that scripts cannot read and that are too large for ${name} are deleted by a press`, async ({
    page,
    started,
  }) => {
    const url = await start(started);
    const value = 'x'.repeat(3_900);
    const large = Array.from({ length: 9 }, (_, each) => ({
      name: `large${each}`,
      value,
      url: url,
      httpOnly: true,
    }));
    await page.context().addCookies(large);
    expect((await page.goto(url))?.status()).toBe(431);
    await page.getByRole('button', { name: 'Delete cookies and continue' }).click();
    await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
    expect(await names(page)).toEqual([]);
  });
}
