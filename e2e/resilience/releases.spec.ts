import {
  type RegisteredRelease,
  type RegisteredRemote,
  type RemoteIndex,
  remoteIndexUrl,
} from '@daybook/contract/release';
import { test as base, expect } from '@daybook/testing/browser-test';
import { handWrittenEntry, integrityOf } from '@daybook/testing/builds';
import { headingOf } from '@daybook/testing/built-pages';
import { saveData } from '@daybook/testing/page-checks';
import type { Page, Route } from '@playwright/test';

const entryFile = 'remoteEntry.00000001.js';

/** Returns the source of a page component; `React` is the shell's. */
const pageWith = (heading: string) => `() => React.createElement('h1', null, ${JSON.stringify(heading)})`;
const brokenPage = `() => { throw new TypeError('The page is broken.'); }`;

/** Overrides the releases that the test's browser sees, and records the reports of its pages. */
class Releases {
  readonly reports: unknown[] = [];
  polls = 0;
  readonly #page: Page;
  #change = (remote: RegisteredRemote): RegisteredRemote => remote;

  constructor(page: Page) {
    this.#page = page;
  }

  async watch(): Promise<void> {
    await this.#page.route('**/_reports', async (route) => {
      this.reports.push(route.request().postDataJSON());
      await route.fulfill({ status: 204 });
    });
    await this.#page.route(`**${remoteIndexUrl}`, async (route) => {
      this.polls += 1;
      const index = (await (await route.fetch()).json()) as RemoteIndex;
      await route.fulfill({ json: { ...index, remotes: index.remotes.map((remote) => this.#change(remote)) } });
    });
  }

  /** Overrides values of a remote in the remote index from now on. */
  change(name: string, changes: Partial<RegisteredRemote>): void {
    const before = this.#change;
    this.#change = (remote) => (remote.name === name ? { ...before(remote), ...changes } : before(remote));
  }

  /** Serves a release of a remote with the same page for each route; returns it as it is in the remote index. */
  async serve(name: string, version: string, component: string): Promise<RegisteredRelease> {
    const entry = `/remotes/${name}/${version}/${entryFile}`;
    const body = handWrittenEntry(name, version, component);
    await this.#page.route(`**${entry}`, (route) => route.fulfill({ contentType: 'text/javascript', body }));
    return { version, entry, integrity: { [entryFile]: integrityOf(Buffer.from(body)) } };
  }
}

const test = base.extend<{ releases: Releases }>({
  releases: async ({ page }, use) => {
    const releases = new Releases(page);
    await releases.watch();
    await use(releases);
    // Ignores requests that are still in progress at the end of the test.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
});

// One case for each behavior, through the whole; what counts as a failure is in shell/src/remotes/site-remotes.spec.tsx.

// The browser's messages about blocked, missing and unused files, and React's about pages that throw.
test.use({
  expectedStatuses: [404],
  expectedMessages: [/integrity|ERR_|MIME|preload|The page is broken/i],
});

const entries = /\/remotes\/mf-legal\/1\.[^/]+\/remoteEntry\.\w+\.js$/;
const chunks = /\/remotes\/mf-legal\/1\.[^/]+\/terms\.\w+\.js$/;
const styles = /\/remotes\/mf-legal\/1\.[^/]+\/terms\.\w+\.css$/;
const older = '0.9.0-000000000000';
const newest = '1.9.0-000000000009';
const activeVersion = expect.stringMatching(/^1\.\d+\.\d+-[0-9a-f]{12}$/);
const report = (version: unknown, kind: 'load' | 'render') => ({ remote: 'mf-legal', version, route: '/terms', kind });

async function tamperWith(route: Route): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, body: `${await response.text()}\n/* and more */\n` });
}

/** Registers a previous release of mf-legal, whose terms have another heading. */
async function addPrevious(releases: Releases): Promise<void> {
  const previous = await releases.serve('mf-legal', older, pageWith('The terms of last week'));
  releases.change('mf-legal', { previous });
}

async function expectPreviousRelease(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'The terms of last week' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${older}`);
}

async function openTerms(page: Page): Promise<void> {
  await page.goto('/terms', { waitUntil: 'domcontentloaded' });
  // A text page: its scripts load when the visitor does something.
  await page.keyboard.press('Shift');
}

/** Opens the home page, and the terms by a link in it, for which all files are loaded, also styles. */
async function followTerms(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).press('Enter');
}

const missing = (route: Route) => route.fulfill({ status: 404, body: 'Not found' });

for (const [what, open, files, respond] of [
  ['an unreachable entry', openTerms, entries, (route: Route) => route.abort()],
  ['a tampered script', openTerms, chunks, tamperWith],
  ['a missing style', followTerms, styles, missing],
] as const)
  test(`${what} falls back to the previous release and is reported`, async ({ page, releases }) => {
    await addPrevious(releases);
    await page.route(files, respond);
    await open(page);
    await expectPreviousRelease(page);
    await expect.poll(() => releases.reports).toEqual([report(activeVersion, 'load')]);
  });

test('a tampered entry without a previous release shows the fallback, with a retry', async ({ page, releases }) => {
  await page.route(entries, tamperWith);
  await openTerms(page);
  const fallback = page.getByRole('alert');
  await expect(fallback).toContainText('This page isn’t available right now');
  await expect(fallback).toHaveAttribute('data-failed-remote', /^mf-legal@1\.\d+\.\d+-[0-9a-f]{12}$/);
  await expect(fallback.getByRole('link', { name: 'support@daybook.example' })).toBeVisible();
  await fallback.getByRole('link', { name: 'Return to the home page' }).click();
  await expect(page.locator('[data-remote^="mf-signup@"]')).toBeVisible();
  await page.goBack();
  await expect(fallback).toBeVisible();
  await page.unroute(entries, tamperWith);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  await expect(page.locator('[data-remote^="mf-legal@1."]')).toBeVisible();
  await expect.poll(() => releases.reports).toEqual([report(activeVersion, 'load')]);
});

test('a script that stalls for a minute shows the fallback, without a report', async ({ page, releases }) => {
  await addPrevious(releases);
  await page.clock.install();
  const requested: string[] = [];
  await page.route(chunks, (route) => {
    requested.push(route.request().url());
  });
  await openTerms(page);
  // Not only preloaded: the timeout starts with the element.
  const scripts = page.locator('head script[src*="/remotes/mf-legal/"]');
  const addresses = () => scripts.evaluateAll((all) => all.map((script) => script.getAttribute('src') ?? ''));
  await expect.poll(async () => (await addresses()).some((url) => chunks.test(url))).toBe(true);
  // The clock also runs by itself.
  await page.clock.runFor(30_000);
  await expect(page.getByRole('alert')).toBeHidden();
  await page.clock.runFor(30_000);
  await expect(page.getByRole('alert')).toHaveAttribute('data-failed-remote', /^mf-legal@1\./);
  expect(requested.length).toBe(new Set(requested).size);
  await page.unroute(chunks);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeFocused();
  expect(releases.reports).toEqual([]);
});

test('a release whose page throws is replaced in the same document', async ({ page, releases }) => {
  await addPrevious(releases);
  releases.change('mf-legal', await releases.serve('mf-legal', newest, brokenPage));
  await followTerms(page);
  const opened = await page.evaluate(() => performance.timeOrigin);
  await expectPreviousRelease(page);
  await expect.poll(() => releases.reports).toEqual([report(newest, 'render')]);
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened);
});

test('an open page uses new releases of remotes that it has not loaded yet', async ({ page, releases }) => {
  // Otherwise visible links prefetch their pages, which polls the remote index, too.
  await page.addInitScript(saveData);
  // By keyboard: a pointer would hover other links.
  const follow = async (link: string, remote: string) => {
    await page.getByRole('contentinfo').getByRole('link', { name: link, exact: true }).press('Enter');
    await expect(page.locator(`[data-remote^="${remote}@"]`)).toBeVisible();
  };
  await page.goto('/unsubscribe');
  const shown = await page.locator('[data-remote^="mf-privacy@"]').getAttribute('data-remote');
  for (const [remote, heading] of [
    ['mf-legal', 'The new terms'],
    ['mf-privacy', 'The new form'],
  ] as const)
    releases.change(remote, await releases.serve(remote, newest, pageWith(heading)));
  // Without running the page's timers.
  await page.clock.setSystemTime(Date.now() + 61_000);
  await follow('Terms of Service', 'mf-legal');
  expect(releases.polls).toBe(1);
  await expect(page.getByRole('heading', { level: 1, name: 'The new terms' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `mf-legal@${newest}`);
  await follow('Unsubscribe', 'mf-privacy');
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', String(shown));
});
