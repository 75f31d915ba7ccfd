import { pageDataElementId, pageReportAddress, registryAddress } from '@daybook/contract';
import { test as base, expect, type Page, type Response } from '@playwright/test';
import { Client } from 'pg';

/** The network that the site sees its visitors in, as it is stored. */
export const visitorNetwork = process.env.VISITOR_NETWORK ?? '127.0.0.0/24';

/** What the browser says of itself when an answer is no success; the test that expects one says so. */
const failedResource = /^Failed to load resource: .*status of (\d+)/;

interface Fixtures {
  /** Refusals that a test causes on purpose: their status numbers. Any other console error or warning fails the test. */
  readonly expectedStatuses: number[];
  /** Console lines that a test causes on purpose, such as a failure that is only logged. */
  readonly expectedMessages: RegExp[];
  /** What a test starts beside the site; stopped at its end. */
  readonly started: AsyncDisposableStack;
  /** The console of the test's page, line by line. */
  readonly consoleLines: string[];
}

interface WorkerFixtures {
  /** The database behind the site. */
  readonly database: Client;
}

/** Waits until a page of the site works; other documents, and pages without JavaScript, are as they are. */
export async function untilReady(page: Page): Promise<void> {
  if ((await page.locator(`#${pageDataElementId}`).count()) > 0)
    await page.locator('#root[data-ready]').waitFor({ state: 'attached' });
}

/**
 * The project's test: it knows the site's address, comes to pages as a visitor does who waits until they work, and fails
 * on anything unexpected in the browser's console. A test of the first moments says what it waits for: `waitUntil`.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  baseURL: async ({}, use) => use(process.env.SITE_ADDRESS),
  page: async ({ page, javaScriptEnabled }, use) => {
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const arrived = async (answer: Response | null, options: { readonly waitUntil?: unknown } = {}) => {
      if (javaScriptEnabled !== false && options.waitUntil === undefined) await untilReady(page);
      return answer;
    };
    page.goto = async (address, options) => arrived(await goto(address, options), options);
    page.reload = async (options) => arrived(await reload(options), options);
    await use(page);
  },
  started: async ({}, use) => {
    const started = new AsyncDisposableStack();
    await use(started);
    await started.disposeAsync();
  },
  expectedStatuses: async ({}, use) => use([]),
  expectedMessages: async ({}, use) => use([]),
  consoleLines: [
    async ({ page, expectedStatuses, expectedMessages }, use) => {
      const lines: string[] = [];
      const complaints: string[] = [];
      page.on('console', (message) => {
        lines.push(message.text());
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await use(lines);
      const unexpected = complaints.filter((line) => {
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

let addresses = 0;

/** An e-mail address that no other test uses. */
export function newAddress(name = 'reader'): string {
  addresses += 1;
  return `${name}.${process.pid}.${Date.now()}.${addresses}@example.com`;
}

const ofReleases: readonly string[] = [registryAddress, pageReportAddress];

/** The calls that the page makes from now on; pictures and the like are none, nor is what the shell asks and tells of releases. */
export function recordCalls(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const called = ['fetch', 'xhr', 'ping', 'eventsource', 'websocket'].includes(request.resourceType());
    if (called && !ofReleases.includes(new URL(request.url()).pathname)) calls.push(request.url());
  });
  return calls;
}

/** Answers the sponsors' addresses in the test's browser, so that tabs open without a network. */
export async function answerSponsors(page: Page): Promise<void> {
  await page.context().route('https://sponsors.daybook.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>Sponsor</title>${new URL(route.request().url()).pathname}`,
    }),
  );
}

/** Signs up through the API, with the cookies of the test's browser; gives the entry's id. */
export async function signUp(page: Page, email: string): Promise<number> {
  const answer = await page.request.post('/api/waitlist', { data: { email } });
  expect(answer.status()).toBe(201);
  return (await answer.json()).entry.id;
}
