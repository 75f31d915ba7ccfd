import { readBuiltRelease, variantOf } from '@daybook/runner/releases';
import type { Page } from '@playwright/test';
import { type OwnSite, startOwnSite } from '../support/own-site.ts';
import { expect, test, untilReady } from '../support/test.ts';

// What one team releases must not run or apply on the pages of others. The release here leaves a trace when it runs, and
// its styles hide what belongs to the shell and to all pages.

// The font is none.
test.use({ expectedMessages: [/ERR_FAILED|decode downloaded font/] });

const hostile = '1.9.0-00000000000a';
const styles = `
  header, button { display: none !important }
  :root { --hostile: 1; --daybook-hostile-size: 7px }
  h1 { letter-spacing: 7px !important }
  @font-face { font-family: hostile; src: url(data:font/woff2;base64,) }
  @property --hostile-color { syntax: '<color>'; inherits: true; initial-value: red }
`;

/** Starts a site whose active release of mf-legal is the hostile one. */
async function startHostileSite(started: AsyncDisposableStack): Promise<OwnSite> {
  const site = await startOwnSite(started);
  const { release, ...rest } = readBuiltRelease('mf-legal');
  const edit = (content: string, file: string) => {
    if (file.endsWith('.css')) return content + styles;
    return file === release.entry.replace(release.version, hostile) || file === release.entry
      ? `globalThis.hasRun = true;${content}`
      : content;
  };
  await site.push(variantOf({ release, ...rest }, hostile, edit));
  return site;
}

const footerLink = (page: Page, path: string) => page.locator(`footer a[href="${path}"]`).first();

/** Follows a link that may be hidden. */
const follow = (page: Page, path: string) =>
  footerLink(page, path).evaluate((link: HTMLElement) => {
    link.click();
  });

const shown = (page: Page, remote: string) => page.locator(`[data-remote^="${remote}@"]`);

/** Returns what of the hostile release is on the page: whether it has run, and whether its styles apply. */
const traces = (page: Page) =>
  page.evaluate(() => {
    const names: string[] = [];
    if ('hasRun' in globalThis) names.push('has run');
    if (Object.keys(globalThis).some((name) => name.startsWith('mf-legal@'))) names.push('container');
    if (getComputedStyle(document.documentElement).getPropertyValue('--hostile') !== '') names.push('variable');
    if (getComputedStyle(document.documentElement).getPropertyValue('--hostile-color') !== '') names.push('property');
    if ([...document.fonts].some(({ family }) => family.replaceAll('"', '') === 'hostile')) names.push('font');
    const hidden = [...document.querySelectorAll('header, main button')].filter(
      (element) => getComputedStyle(element).display === 'none',
    );
    if (hidden.length > 0) names.push('hidden controls');
    return names;
  });

/** Records for each frame from now on whether it shows a page of the release, and whether its styles apply. */
const recordFrames = (page: Page) =>
  page.evaluate(() => {
    const frames: string[] = [];
    Object.assign(globalThis, { frames });
    const record = () => {
      const release = document.querySelector('[data-remote]')?.getAttribute('data-remote') ?? 'none';
      const applies = getComputedStyle(document.documentElement).getPropertyValue('--hostile') !== '';
      const spacing = getComputedStyle(document.querySelector('h1') ?? document.body).letterSpacing === '7px';
      frames.push(`${release.split('@')[0]} ${applies} ${spacing}`);
      requestAnimationFrame(record);
    };
    record();
  });

const recordedFrames = (page: Page) =>
  page.evaluate(() => [...new Set((globalThis as unknown as { frames: string[] }).frames)].sort());

test('pointing at, focusing and touching a link download the page of another remote and run nothing of it, until a press', async ({
  page,
  started,
}) => {
  const { url } = await startHostileSite(started);
  const requested: string[] = [];
  page.on('requestfinished', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto(url);
  await untilReady(page);
  const files = (ending: string) =>
    requested.filter((file) => file.startsWith(`/remotes/mf-legal/`) && file.endsWith(ending));
  const link = footerLink(page, '/terms');
  await link.hover();
  await expect.poll(() => [files('.css').length, files('.js').length]).toEqual([1, 2]);
  await link.focus();
  for (const type of ['touchstart', 'pointerdown', 'mousedown']) await link.dispatchEvent(type);
  expect(await traces(page)).toEqual([]);
  expect(await page.locator('[src*="mf-legal"], [href*="/remotes/mf-legal"]').count()).toBe(0);

  await link.click();
  await expect(shown(page, 'mf-legal')).toBeVisible();
  expect(await traces(page)).toContain('has run');
  // From the browser's cache: nothing is transferred again.
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/remotes/mf-legal/'))
      .map((entry) => (entry as PerformanceResourceTiming).transferSize > 0),
  );
  expect(sizes.filter(Boolean)).toHaveLength(3);
  expect(sizes.length).toBeGreaterThan(3);
});

test('styles of a remote apply while its page is shown, in no other frame, and are not loaded again', async ({
  page,
  started,
}) => {
  const { url } = await startHostileSite(started);
  await page.goto(url);
  await untilReady(page);
  const styleRequests: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'stylesheet') styleRequests.push(request.url());
  });
  await recordFrames(page);
  await follow(page, '/terms');
  await expect(shown(page, 'mf-legal')).toBeVisible();
  expect(await traces(page)).toEqual(expect.arrayContaining(['variable', 'property', 'font', 'hidden controls']));
  const ofPage = (names: readonly string[]) => names.filter((name) => name !== 'has run' && name !== 'container');

  await follow(page, '/unsubscribe');
  await expect(shown(page, 'mf-privacy')).toBeVisible();
  expect(ofPage(await traces(page))).toEqual([]);
  await expect(page.getByRole('main').getByRole('button')).toBeVisible();
  await page.goBack();
  await expect(shown(page, 'mf-legal')).toBeVisible();
  await page.goBack();
  await expect(shown(page, 'mf-signup')).toBeVisible();
  expect(ofPage(await traces(page))).toEqual([]);
  await expect(page.getByRole('banner')).toBeVisible();
  await page.goForward();
  await expect(shown(page, 'mf-legal')).toBeVisible();
  expect(styleRequests.filter((url) => url.includes('/mf-legal/'))).toHaveLength(1);
  expect(await recordedFrames(page)).toEqual(['mf-legal true true', 'mf-privacy false false', 'mf-signup false false']);
});

test('styles of a page that the server composed end when it is left, also for an unknown page, and return with it', {
  tag: '@full',
}, async ({ page, started }) => {
  const { url } = await startHostileSite(started);
  await page.goto(`${url}/terms`);
  await page.keyboard.press('Shift');
  await untilReady(page);
  expect(await traces(page)).toContain('hidden controls');
  await recordFrames(page);
  await page.evaluate(() => {
    history.pushState({}, '', '/no-such-page');
    history.pushState({}, '', '/no-such-page#2');
    history.back();
  });
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  expect((await traces(page)).filter((name) => name !== 'has run')).toEqual([]);
  await follow(page, '/cookie-policy');
  await expect(shown(page, 'mf-legal')).toBeVisible();
  expect(await traces(page)).toContain('hidden controls');
  await follow(page, '/');
  await expect(shown(page, 'mf-signup')).toBeVisible();
  expect((await traces(page)).filter((name) => name !== 'has run')).toEqual([]);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveTitle(/^Terms/);
  expect(await traces(page)).toContain('hidden controls');
  expect(await recordedFrames(page)).toEqual(['mf-legal true true', 'mf-signup false false', 'none false false']);
});
