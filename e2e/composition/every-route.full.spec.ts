import { test as base, expect } from '@daybook/testing/browser-test';
import { layoutShifts } from '@daybook/testing/layout-shifts';
import { perWorker, startOwnSite } from '@daybook/testing/own-site';
import { siteRoutes } from '@daybook/testing/routes';
import type { Page } from '@playwright/test';

const supportAddress = 'questions@money-morning.example';
const sponsor = 'https://partners.example/alarm?from=daybook&x=1';

const test = base.extend<object, { configured: string }>({
  configured: perWorker(async (started) => {
    const shellVariables = {
      SUPPORT_ADDRESS: supportAddress,
      SPONSOR_URLS: `vivint=${sponsor}`,
      HOUSING_GUIDE_URL: 'https://partners.example/housing',
      PRIVACY_REQUESTS: 'record',
    };
    return (await startOwnSite(started, { shellVariables })).url;
  }),
});

/** Pages that are complete only with a query in their address, with the notes that they show without JavaScript. */
const neutral: Readonly<Record<string, readonly string[]>> = {
  '/continue-registration': ['Free hearing test, and save $799', 'You won’t miss anything else without it'],
  '/thank-you': ['What happens next'],
  '/redirect': ['please type the website’s address yourself'],
};

/** Returns the text without the year, which depends on the visitor's clock, and without `noscript` notes. */
function mainText(page: Page): Promise<string> {
  return page.locator('main').evaluate((main) => {
    // A closed dialog is mounted when the browser is idle.
    for (const unseen of main.querySelectorAll('noscript, dialog')) unseen.remove();
    return (main.textContent ?? '').replace(/©\s*(?:\d{4})?\s*/, '© ');
  });
}

for (const { remote, path: route, url } of siteRoutes()) {
  test(`${route} is complete without JavaScript and shifts nothing`, async ({
    page,
    browser,
    baseURL,
    configured,
    consoleLines,
  }) => {
    for (const [what, width, site] of [
      // Their first visits, with nothing cached: each site has an origin of its own.
      ['on a phone', 390, ''],
      ["with the operator's settings", 1280, configured],
      ['on a desktop', 1280, ''],
    ] as const)
      await test.step(what, async () => {
        await page.setViewportSize({ width, height: 844 });
        const before = consoleLines.length;
        await page.goto(site + url);
        await expect.poll(() => consoleLines.length).toBeGreaterThan(before);
        expect(await layoutShifts(page)).toEqual([]);
        expect(consoleLines.slice(before)).toEqual([url]);
        if (site)
          expect(await page.content()).not.toMatch(/settings-[\w-]+(?:\.invalid|@|-year)|support@daybook\.example/);
      });
    await test.step('without JavaScript', async () => {
      const plain = await browser.newPage({ javaScriptEnabled: false, ...(baseURL ? { baseURL } : {}) });
      await plain.goto(url);
      await expect(plain.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(plain.locator('[data-remote]')).toHaveAttribute('data-remote', new RegExp(`^${remote}@`));
      await expect(plain.getByText('needs JavaScript to be shown')).toHaveCount(0);
      // Playwright's text matching ignores the content of noscript.
      const text = await plain.locator('main').textContent();
      for (const words of neutral[route] ?? []) expect(text).toContain(words);
      if (!neutral[route]) expect(await mainText(page)).toBe(await mainText(plain));
      await plain.close();
    });
  });
}

test("a new visitor sees a text's heading in the brand's typeface at once", async ({ page }) => {
  await page.goto('/terms');
  // A font that is late for the first paint is not used later either (`font-display: optional`).
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  expect(fonts.map(({ isCustomFont }) => isCustomFont)).toEqual([true]);
  expect(await layoutShifts(page)).toEqual([]);
});

test('each page has its own title and description', () => {
  const routes = siteRoutes();
  expect(new Set(routes.map(({ title }) => title)).size).toBe(routes.length);
  expect(new Set(routes.map(({ description }) => description)).size).toBe(routes.length);
  expect(routes.filter(({ description }) => description.length < 40)).toEqual([]);
});
