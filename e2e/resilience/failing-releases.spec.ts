import type { Page, Route } from '@playwright/test';
import { type Releases, tamperWith, test } from '../support/releases.ts';
import { expect } from '../support/test.ts';

// What the browser says of refused and missing files, and of those that are not needed then, and React of pages that throw.
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

/** Keeps a previous release of mf-legal, whose terms have another heading. */
async function keepPrevious(releases: Releases): Promise<void> {
  const previous = await releases.serve('mf-legal', older, '/terms', { heading: 'The terms of last week' });
  releases.change('mf-legal', { previous });
}

async function expectPreviousRelease(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'The terms of last week' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${older}`);
}

/** The fallback names the release; another remote's page works; once the cause is gone, so does this one. */
async function expectFallback(page: Page, putRight: () => Promise<void>): Promise<void> {
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page is not available right now');
  await expect(fallback).toHaveAttribute('data-failed-remote', /^mf-legal@1\.\d+\.\d+-[0-9a-f]{8}$/);
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await fallback.getByRole('link', { name: 'Return to the home page' }).click();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
  await page.goBack();
  await expect(fallback).toBeVisible();
  await putRight();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeFocused();
  await expect(page.locator('[data-remote^="mf-legal@1."]')).toBeVisible();
}

/**
 * Comes to the terms: by their address, or within the site where it is about a style, since a document holds the styles
 * of its own page.
 */
async function arriveAtTerms(page: Page, files: RegExp): Promise<void> {
  if (files !== styles) return void (await page.goto('/terms', { waitUntil: 'domcontentloaded' }));
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).press('Enter');
}

const failures: readonly (readonly [string, RegExp, (route: Route) => Promise<void>])[] = [
  ['an entry that was tampered with', entries, tamperWith],
  ['a script that was tampered with', chunks, tamperWith],
  ['a style that was tampered with', styles, tamperWith],
  ['an entry that is gone', entries, (route) => route.fulfill({ status: 404, body: 'Not found' })],
  ['an entry that the server fails over', entries, (route) => route.fulfill({ status: 500, body: 'Oh' })],
  ['an entry that no connection brings', entries, (route) => route.abort()],
  ['a script that is gone', chunks, (route) => route.fulfill({ status: 404, body: 'Not found' })],
  ['a style that is gone', styles, (route) => route.fulfill({ status: 404, body: 'Not found' })],
];

/** One failure of each kind of file is enough for `npm test`. */
const coreFailures = ['an entry that no connection brings', 'a script that was tampered with', 'a style that is gone'];

for (const [what, files, answer] of failures) {
  const tag = coreFailures.includes(what) ? [] : '@full';
  test(`${what}: the page comes from the previous release, and the failure is reported`, { tag }, async ({
    page,
    releases,
  }) => {
    await keepPrevious(releases);
    await page.route(files, answer);
    await arriveAtTerms(page, files);
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(activeVersion, 'load')]);
  });

  test(`${what}, and no previous release: the fallback, and the page once it is put right`, { tag: '@full' }, async ({
    page,
    releases,
  }) => {
    await page.route(files, answer);
    await arriveAtTerms(page, files);
    await expectFallback(page, () => page.unroute(files, answer));
    expect(releases.reports).toEqual([report(activeVersion, 'load')]);
  });
}

test('an answer that fails once is no failure: the second try works, without a report', async ({ page, releases }) => {
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
  test(`one ${what} that hangs is given up after eight seconds, and again after the second try`, { tag }, async ({
    page,
    releases,
  }) => {
    await keepPrevious(releases);
    await page.clock.install();
    const asked: string[] = [];
    await page.route(files, (route) => {
      asked.push(route.request().url());
    });
    await arriveAtTerms(page, files);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await page.clock.runFor(8_000);
    // A page has more than one script and style; the second try asks for one of them again.
    await expect.poll(() => asked.length - new Set(asked).size).toBeGreaterThan(0);
    await page.clock.runFor(8_000);
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(activeVersion, 'load')]);
  });
}

test('an entry that throws is one that fails', async ({ page, releases }) => {
  await keepPrevious(releases);
  releases.change('mf-legal', await releases.serve('mf-legal', newest, '/terms', 'its entry throws'));
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expectPreviousRelease(page);
  await expect.poll(() => releases.reports).toEqual([report(newest, 'load')]);
});

for (const behaviour of ['throws while rendering', 'throws in an effect'] as const) {
  test(`a page that ${behaviour} comes from the previous release, in the same document`, async ({ page, releases }) => {
    await keepPrevious(releases);
    releases.change('mf-legal', await releases.serve('mf-legal', newest, '/terms', behaviour));
    await page.goto('/');
    const opened = await page.evaluate(() => performance.timeOrigin);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(newest, 'render')]);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened);
  });
}

test('a page that throws in each release is replaced by the fallback, each is reported once, and the rest works', async ({
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
