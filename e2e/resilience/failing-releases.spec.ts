import type { Page, Route } from '@playwright/test';
import { headingOf } from '../support/built-pages.ts';
import { type Releases, test } from '../support/releases.ts';
import { expect } from '../support/test.ts';

// The browser's messages about blocked, missing and unused files, and React's about pages that throw.
test.use({
  expectedStatuses: [404, 500],
  expectedMessages: [/integrity|ERR_|MIME|preload|The (?:page|entry) is broken/i],
});

const entries = /\/remotes\/mf-legal\/1\.[^/]+\/remoteEntry\.\w+\.js$/;
const chunks = /\/remotes\/mf-legal\/1\.[^/]+\/\d+\.\w+\.js$/;
const styles = /\/remotes\/mf-legal\/1\.[^/]+\/\d+\.\w+\.css$/;
const older = '0.9.0-00000000';
const newest = '1.9.0-00000009';
const activeVersion = expect.stringMatching(/^1\.\d+\.\d+-[0-9a-f]{8}$/);
const report = (version: unknown, kind: 'load' | 'render') => ({ remote: 'mf-legal', version, route: '/terms', kind });

/** Appends bytes to a file in transit, as an attacker could. */
async function tamperWith(route: Route): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: `${await response.text()}\n/* and more */\n` });
}

/** Registers a previous release of mf-legal, whose terms have another heading. */
async function addPrevious(releases: Releases): Promise<void> {
  const previous = await releases.serve('mf-legal', older, '/terms', { heading: 'The terms of last week' });
  releases.change('mf-legal', { previous });
}

async function expectPreviousRelease(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'The terms of last week' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${older}`);
}

/** Expects a fallback that names the release, a working page of another remote, and a working retry after `repair`. */
async function expectFallback(page: Page, repair: () => Promise<void>): Promise<void> {
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page is not available right now');
  await expect(fallback).toHaveAttribute('data-failed-remote', /^mf-legal@1\.\d+\.\d+-[0-9a-f]{8}$/);
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await fallback.getByRole('link', { name: 'Return to the home page' }).click();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
  await page.goBack();
  await expect(fallback).toBeVisible();
  await repair();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  await expect(page.locator('[data-remote^="mf-legal@1."]')).toBeVisible();
}

/**
 * Opens the terms: directly, or for failing styles by a link of the site, since a document contains the styles of its
 * own page inline.
 */
async function arriveAtTerms(page: Page, files: RegExp): Promise<void> {
  if (files !== styles) {
    await page.goto('/terms', { waitUntil: 'domcontentloaded' });
    // A text page: its scripts load when the visitor does something.
    return page.keyboard.press('Shift');
  }
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).press('Enter');
}

/** Returns what elements of a document's head load. Runs in the page. */
const addressesOf = (elements: readonly Element[]) =>
  elements
    .filter((element) => element.closest('head'))
    .map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '');

const failures: readonly (readonly [string, RegExp, (route: Route) => Promise<void>])[] = [
  ['a tampered entry', entries, tamperWith],
  ['a tampered script', chunks, tamperWith],
  ['a tampered style', styles, tamperWith],
  ['a missing entry', entries, (route) => route.fulfill({ status: 404, body: 'Not found' })],
  ['an entry with a server error', entries, (route) => route.fulfill({ status: 500, body: 'Oh' })],
  ['an unreachable entry', entries, (route) => route.abort()],
  ['a missing script', chunks, (route) => route.fulfill({ status: 404, body: 'Not found' })],
  ['a missing style', styles, (route) => route.fulfill({ status: 404, body: 'Not found' })],
];

/** One failure of each kind of file is enough for `npm test`. */
const coreFailures = ['an unreachable entry', 'a tampered script', 'a missing style'];

for (const [what, files, respond] of failures) {
  const tag = coreFailures.includes(what) ? [] : '@full';
  test(`${what} falls back to the previous release and is reported`, { tag }, async ({ page, releases }) => {
    await addPrevious(releases);
    await page.route(files, respond);
    await arriveAtTerms(page, files);
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(activeVersion, 'load')]);
  });

  test(`${what} without a previous release shows the fallback, and a retry after the repair works`, {
    tag: '@full',
  }, async ({ page, releases }) => {
    await page.route(files, respond);
    await arriveAtTerms(page, files);
    await expectFallback(page, () => page.unroute(files, respond));
    expect(releases.reports).toEqual([report(activeVersion, 'load')]);
  });
}

test('a request that fails once is retried without a report', async ({ page, releases }) => {
  let failed = 0;
  await page.route(chunks, (route) => {
    failed += 1;
    return failed === 1 ? route.fulfill({ status: 500, body: 'Oh' }) : route.continue();
  });
  await page.goto('/terms');
  await expect(page.locator('[data-remote^="mf-legal@1."]')).toBeVisible();
  expect(failed).toBeGreaterThan(1);
  expect(releases.reports).toEqual([]);
});

for (const [what, files] of [
  ['entry', entries],
  ['script', chunks],
  ['style', styles],
] as const) {
  const tag = what === 'script' ? [] : '@full';
  test(`a ${what} that stalls for a minute shows the fallback, without a retry or report; a retry works`, {
    tag,
  }, async ({ page, releases }) => {
    await addPrevious(releases);
    await page.clock.install();
    const requested: string[] = [];
    await page.route(files, (route) => {
      requested.push(route.request().url());
    });
    // By a link, they are downloaded before any element is added.
    const isDownloaded = files === styles;
    await arriveAtTerms(page, files);
    // Not only preloaded: the timeout starts with the element.
    const waiting = page.locator(`script[src*="/remotes/mf-legal/"], link[href*="/remotes/mf-legal/"]:not([disabled])`);
    await expect
      .poll(async () => {
        const addresses = isDownloaded ? requested : await waiting.evaluateAll(addressesOf);
        return addresses.some((address) => files.test(address));
      })
      .toBe(true);
    // The clock also runs by itself.
    await page.clock.runFor(30_000);
    await expect(page.getByRole('alert')).toBeHidden();
    await page.clock.runFor(30_000);
    await expect(page.getByRole('alert')).toHaveAttribute('data-failed-remote', /^mf-legal@1\./);
    expect(requested.length).toBe(new Set(requested).size);
    expect(releases.reports).toEqual([]);
    await page.unroute(files);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
    expect(releases.reports).toEqual([]);
  });
}

test('a link of 50 kbit/s loads a document and the page of another remote', { tag: '@full' }, async ({
  page,
  releases,
}) => {
  test.setTimeout(300_000);
  const slow = { timeout: 120_000 };
  const network = await page.context().newCDPSession(page);
  const bytesPerSecond = 50_000 / 8;
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await page.goto('/continue-registration', { waitUntil: 'commit' });
  await expect(page.locator('#daybook-page[data-ready]')).toBeVisible(slow);
  await expect(page.locator('[data-remote^="mf-offers@"]')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: headingOf('/terms') }).or(page.getByRole('alert')),
  ).toBeVisible(slow);
  await expect(page.locator('[data-failed-remote]')).toBeHidden();
  await expect(page.locator('[data-remote^="mf-legal@"]')).toBeVisible();
  expect(releases.reports).toEqual([]);
});

test('an entry that throws falls back to the previous release and is reported', async ({ page, releases }) => {
  await addPrevious(releases);
  releases.change('mf-legal', await releases.serve('mf-legal', newest, '/terms', 'its entry throws'));
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expectPreviousRelease(page);
  await expect.poll(() => releases.reports).toEqual([report(newest, 'load')]);
});

for (const behaviour of ['throws while rendering', 'throws in an effect'] as const) {
  test(`a page that ${behaviour} falls back to the previous release in the same document`, async ({
    page,
    releases,
  }) => {
    await addPrevious(releases);
    releases.change('mf-legal', await releases.serve('mf-legal', newest, '/terms', behaviour));
    await page.goto('/');
    const opened = await page.evaluate(() => performance.timeOrigin);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(newest, 'render')]);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened);
  });
}

test('a page that throws in both releases shows the fallback, reports each once, and other pages work', async ({
  page,
  releases,
}) => {
  const previous = await releases.serve('mf-legal', older, '/terms', 'throws in an effect');
  const active = await releases.serve('mf-legal', newest, '/terms', 'throws while rendering');
  releases.change('mf-legal', { ...active, previous });
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  const fallback = page.getByRole('alert');
  await expect(fallback).toHaveAttribute('data-failed-remote', `mf-legal@${older}`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).not.toHaveAttribute('aria-disabled');
  await expect(fallback).toHaveAttribute('data-failed-remote', `mf-legal@${older}`);
  expect(releases.reports).toEqual([report(newest, 'render'), report(older, 'render')]);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Unsubscribe' }).first().click();
  await expect(page.locator('[data-remote^="mf-privacy@"]')).toBeVisible();
});
