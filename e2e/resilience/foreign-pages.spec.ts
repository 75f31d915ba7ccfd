import { test as base, expect } from '@daybook/testing/browser-test';
import { readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { perWorker, startOwnSite } from '@daybook/testing/own-site';
import type { Page } from '@playwright/test';

// What one team releases must not run or apply on the pages of others.

const version = '1.9.0-00000000000a';
const styles = `
  :root { --foreign: 1 }
  @font-face { font-family: foreign; src: url(data:font/woff2;base64,) }
  @property --foreign-color { syntax: '<color>'; inherits: true; initial-value: red }
`;

/** Address of a site whose active release of mf-legal is the one above; one for all tests. */
const test = base.extend<object, { url: string }>({
  url: perWorker(async (started) => {
    const site = await startOwnSite(started);
    const built = readBuiltRelease('mf-legal');
    const { entry } = built.release;
    const edit = (content: string, file: string) => {
      if (file.endsWith('.css')) return content + styles;
      return [entry, entry.replace(built.release.version, version)].includes(file)
        ? `globalThis.hasRun = true;${content}`
        : content;
    };
    await site.publish(variantOf(built, version, edit));
    return site.url;
  }),
});

// The font is none.
test.use({ expectedMessages: [/ERR_FAILED|decode downloaded font/] });

const footerLink = (page: Page, path: string) => page.locator(`footer a[href="${path}"]`).first();

async function follow(page: Page, path: string, remote: string): Promise<void> {
  await footerLink(page, path).click();
  await expectPageOf(page, remote);
}
const expectPageOf = (page: Page, remote: string) => expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();

const hasRun = (page: Page) =>
  page.evaluate(() => 'hasRun' in globalThis || Object.keys(globalThis).some((name) => name.startsWith('mf-legal@')));

/** Returns which styles of the release apply to the page. */
const appliedStyles = (page: Page) =>
  page.evaluate(() => {
    const root = getComputedStyle(document.documentElement);
    const names = ['--foreign', '--foreign-color'].filter((name) => root.getPropertyValue(name) !== '');
    return [...document.fonts].some(({ family }) => /foreign/.test(family)) ? [...names, 'font'] : names;
  });
const all = ['--foreign', '--foreign-color', 'font'];

test('a link downloads another remote’s files, and a press runs them', async ({ page, url }) => {
  const requested: string[] = [];
  page.on('requestfinished', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(url);
  const files = (ending: string) =>
    requested.filter((file) => file.startsWith('/remotes/mf-legal/') && file.endsWith(ending));
  const link = footerLink(page, '/terms');
  await link.hover();
  await expect.poll(() => [files('.css').length, files('.js').length]).toEqual([1, 2]);
  await link.focus();
  for (const type of ['touchstart', 'pointerdown', 'mousedown']) await link.dispatchEvent(type);
  expect([await hasRun(page), await appliedStyles(page)]).toEqual([false, []]);
  expect(await page.locator('[src*="mf-legal"], [href*="/remotes/mf-legal"]').count()).toBe(0);

  await link.click();
  await expectPageOf(page, 'mf-legal');
  expect(await hasRun(page)).toBe(true);
});

test('styles of a remote apply on its pages, and on no others', async ({ page, url }) => {
  await page.goto(url);
  const styleRequests: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') styleRequests.push(request.url());
  });
  await follow(page, '/terms', 'mf-legal');
  expect(await appliedStyles(page)).toEqual(all);
  await follow(page, '/unsubscribe', 'mf-privacy');
  expect(await appliedStyles(page)).toEqual([]);
  await page.goBack();
  await expectPageOf(page, 'mf-legal');
  await page.goBack();
  await expectPageOf(page, 'mf-signup');
  expect(await appliedStyles(page)).toEqual([]);
  await page.goForward();
  await expectPageOf(page, 'mf-legal');
  expect(styleRequests.filter((each) => each.includes('/mf-legal/'))).toHaveLength(1);
});

test('styles of a composed page end when it is left, also for an unknown page', async ({ page, url }) => {
  await page.goto(`${url}/terms`);
  expect(await appliedStyles(page)).toEqual(all);
  await page.evaluate(() => {
    history.pushState({}, '', '/no-such-page');
    history.pushState({}, '', '/no-such-page#2');
    history.back();
  });
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  expect(await appliedStyles(page)).toEqual([]);
});
