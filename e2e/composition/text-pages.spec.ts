import { expect, test, untilReady } from '@daybook/testing/browser-test';
import { titleOf } from '@daybook/testing/built-pages';
import { saveData } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';

/** Opens a page without doing anything on it; returns the requested scripts, which grow. */
async function openAndRead(page: Page, path: string): Promise<readonly string[]> {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  // The headless shell reports a pointer in the corner, which nobody moved.
  await page.addInitScript(() => {
    const ignoreCorner = (event: PointerEvent) =>
      event.clientX + event.clientY === 0 && event.stopImmediatePropagation();
    addEventListener('pointermove', ignoreCorner, true);
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  return scripts;
}

// Visitors are elsewhere: dates of texts are those of the publisher.
test.use({ timezoneId: 'America/Los_Angeles' });

const footerLink = (page: Page, path: string) => page.getByRole('contentinfo').locator(`a[href="${path}"]`);

const actions = {
  'moves the pointer': (page: Page) => page.mouse.move(100, 100),
  'presses a key': (page: Page) => page.keyboard.press('ArrowDown'),
  'touches the page': (page: Page) =>
    page.locator('main').dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true }),
};

for (const [what, act] of Object.entries(actions)) {
  const tag = what === 'presses a key' ? [] : '@full';
  test(`a text page is hydrated once, when the visitor ${what}`, { tag }, async ({ page, consoleLines }) => {
    // Otherwise the link in the first section is prefetched after a second.
    await page.addInitScript(saveData);
    const scripts = await openAndRead(page, '/terms');
    expect(scripts).toEqual([]);
    await act(page);
    await page.locator('#daybook-page[data-ready]').waitFor({ state: 'attached' });
    await act(page);
    await expect.poll(() => consoleLines).toEqual(['/terms']);
    // From now on without a new document.
    await page.evaluate(() => Object.assign(window, { same: true }));
    await footerLink(page, '/cookie-policy').click();
    await expect(page).toHaveTitle(`${titleOf('/cookie-policy')} | Daybook`);
    expect(await page.evaluate(() => 'same' in window)).toBe(true);
    expect([...new Set(scripts)]).toEqual(scripts);
    await expect.poll(() => consoleLines).toEqual(['/terms', '/cookie-policy']);
  });
}

test('Back leads from a reloaded text page, and to where an unhydrated one was left', async ({ page }) => {
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  const headline = (await heading.textContent()) ?? '';
  await footerLink(page, '/terms').press('Enter');
  await expect(page).toHaveTitle(`${titleOf('/terms')} | Daybook`);
  await page.reload({ waitUntil: 'networkidle' });
  await page.evaluate(() => history.back());
  await expect(heading).toHaveText(headline);

  await openAndRead(page, '/terms');
  await page.evaluate(() => scrollTo(0, 900));
  await untilReady(page);
  await footerLink(page, '/unsubscribe').evaluate((link: HTMLElement) => link.click());
  await expect(page).toHaveTitle(`${titleOf('/unsubscribe')} | Daybook`);
  await page.goBack();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(900);
});
