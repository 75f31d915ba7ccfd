import { pageDataElementId } from '@daybook/contract/page';
import { remoteIndexUrl } from '@daybook/contract/release';
import { test as base, expect, type Page, type Response } from '@playwright/test';
import { Client } from 'pg';
import { untilHydrated } from './page-checks.ts';

/** The browser's console message about an error response; tests that expect one set `expectedStatuses`. */
const failedResource = /^Failed to load resource: .*status of (\d+)/;

interface Fixtures {
  /** Status codes of error responses that a test expects. Any other console error or warning fails the test. */
  readonly expectedStatuses: number[];
  /** Console messages that a test expects, such as a failure that is only logged. */
  readonly expectedMessages: RegExp[];
  /** Resources of the test in addition to the site; disposed of at its end. */
  readonly started: AsyncDisposableStack;
  /** The console of the test's page, line by line. */
  readonly consoleLines: string[];
}

interface WorkerFixtures {
  readonly database: Client;
}

/** Waits until a page of the site is hydrated; returns at once for other documents and without JavaScript. */
export async function untilReady(page: Page): Promise<void> {
  if ((await page.locator(`#${pageDataElementId}`).count()) > 0) await untilHydrated(page);
}

/**
 * The project's test: knows the site's address, waits for hydration after each navigation, and fails on unexpected
 * console messages. Tests of the time before hydration pass `waitUntil`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: async ({}, use) => use(process.env.SITE_URL),
  page: async ({ page, javaScriptEnabled }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const arrived = async (response: Response | null, options: { readonly waitUntil?: unknown } = {}) => {
      if (javaScriptEnabled !== false && options.waitUntil === undefined) await untilReady(page);
      return response;
    };
    page.goto = async (url, options) => arrived(await goto(url, options), options);
    page.reload = async (options) => arrived(await reload(options), options);
    await use(page);
  },
  started: async ({ page }, use) => {
    const started = new AsyncDisposableStack();
    await use(started);
    // The page is still open, and may be loading from what is disposed of.
    page.removeAllListeners('console');
    await started.disposeAsync();
  },
  expectedStatuses: async ({}, use) => use([]),
  expectedMessages: async ({}, use) => use([]),
  consoleLines: [
    async ({ page, expectedStatuses, expectedMessages }, use) => {
      const lines: string[] = [];
      const messages: string[] = [];
      page.on('console', (message) => {
        lines.push(message.text());
        if (message.type() !== 'error' && message.type() !== 'warning') return;
        // The text of a failed request lacks its address.
        messages.push(
          failedResource.test(message.text()) ? `${message.text()} ${message.location().url}` : message.text(),
        );
      });
      page.on('pageerror', (error) => messages.push(String(error)));
      await use(lines);
      const unexpected = messages.filter((line) => {
        const status = failedResource.exec(line)?.[1];
        return status
          ? !expectedStatuses.includes(Number(status))
          : !expectedMessages.some((pattern) => pattern.test(line));
      });
      expect(unexpected, 'errors and warnings in the console').toEqual([]);
    },
    { auto: true },
  ],
  database: [
    async ({}, use) => {
      const client = new Client({ connectionString: process.env.DATABASE_URL });
      await client.connect();
      await use(client);
      await client.end();
    },
    { scope: 'worker' },
  ],
});

export { expect };

let emails = 0;

export function newEmail(name = 'reader'): string {
  emails += 1;
  return `${name}.${process.pid}.${Date.now()}.${emails}@example.com`;
}

/** Records the page's calls from now on, without static files and polls for releases. */
export function recordCalls(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const called = ['fetch', 'xhr', 'ping', 'eventsource', 'websocket'].includes(request.resourceType());
    const { pathname } = new URL(request.url());
    // Files of the next page are prefetched by `fetch`.
    if (called && pathname !== remoteIndexUrl && !pathname.startsWith('/remotes/')) calls.push(request.url());
  });
  return calls;
}

/** Stubs the sponsors' sites in the test's browser, so that tabs open without a network. */
export async function stubSponsors(page: Page): Promise<void> {
  await page.context().route('https://sponsors.daybook.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>Sponsor</title>${new URL(route.request().url()).pathname}`,
    }),
  );
}

/** Signs up through the API with the cookies of the test's browser; returns the entry's id. */
export async function signUp(page: Page, email: string): Promise<number> {
  const response = await page.request.post('/api/waitlist', { data: { email } });
  expect(response.status()).toBe(201);
  return (await response.json()).entry.id;
}
