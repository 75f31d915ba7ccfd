import { findBrowser } from '@daybook/testing/browser';
import { saveData } from '@daybook/testing/page-checks';
import { type Flags, startFlow } from 'lighthouse';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { Sample } from './comparison.ts';

/** A cheap phone on “Slow 4G”, really throttled: Lighthouse's own simulation has no time of hydration. */
const flags: Flags = {
  throttlingMethod: 'devtools',
  throttling: {
    rttMs: 150,
    throughputKbps: 1_600,
    requestLatencyMs: 150,
    downloadThroughputKbps: 1_600,
    uploadThroughputKbps: 750,
    cpuSlowdownMultiplier: 4,
  },
  onlyAudits: [
    'cumulative-layout-shift',
    'interaction-to-next-paint',
    'largest-contentful-paint',
    'long-tasks',
    'network-requests',
    'user-timings',
  ],
  disableFullPageScreenshot: true,
};

/** What Lighthouse scores. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** A task above this duration in ms blocks the main thread for the rest of it; as in Total Blocking Time. */
const blockingThreshold = 50;

export async function startBrowser(started: AsyncDisposableStack): Promise<Browser> {
  const browser = await launch({
    executablePath: findBrowser(),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  started.defer(() => browser.close());
  return browser;
}

/**
 * Marks when the page works: React has attached itself to its heading and to each link, button and field, whether it
 * rendered or hydrated them. It stores an element's properties in a key that begins with `__reactProps$`. Runs in the page.
 */
function markHydration(): void {
  const isAttached = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
  const check = () => {
    const heading = document.querySelector('main h1');
    const controls = [...document.querySelectorAll('body :is(a[href], button, input, select, textarea)')];
    if (heading && isAttached(heading) && controls.every(isAttached)) performance.mark('hydrated');
    else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
}

/** Measures, from a click to the frame that shows another heading or a dialog, as `reaction`. Runs in the page. */
function measureReaction(): void {
  const state = () => document.querySelector('dialog[open]') ?? document.querySelector('main h1')?.textContent;
  const listen = ({ timeStamp }: Event) => {
    const before = state();
    const check = () => {
      const now = state();
      if (!now || now === before) return void requestAnimationFrame(check);
      // A task of its own comes after the frame.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => performance.measure('reaction', { start: timeStamp, end: performance.now() });
      port2.postMessage(undefined);
    };
    requestAnimationFrame(check);
  };
  addEventListener('click', listen, { capture: true, once: true });
}

/** Opens an empty page of a new visitor, with nothing in any cache. */
async function withPage<Result>(browser: Browser, use: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    await page.evaluateOnNewDocument(markHydration);
    return await use(page);
  } finally {
    await context.close();
  }
}

/** The figures of the flow's last step, those that it has. */
async function figuresOf(flow: Awaited<ReturnType<typeof startFlow>>): Promise<Sample> {
  const audits = (await flow.createFlowResult()).steps.at(-1)?.lhr.audits ?? {};
  type Item = Readonly<Record<string, number> & { name: string; resourceType: string }>;
  const itemsOf = (id: string) => (audits[id]?.details as { items?: readonly Item[] } | undefined)?.items ?? [];
  const timing = (name: string) => itemsOf('user-timings').find((item) => item.name === name);
  const hydrated = timing('hydrated')?.startTime;
  const until = hydrated ?? 0;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const blocking = itemsOf('long-tasks').filter(({ startTime = 0 }) => startTime < until);
  const kilobytes = (type: string) =>
    sum(
      itemsOf('network-requests')
        .filter(({ resourceType, networkRequestTime = 0 }) => resourceType === type && networkRequestTime < until)
        .map(({ transferSize = 0 }) => transferSize / 1000),
    );
  return {
    largestPaint: audits['largest-contentful-paint']?.numericValue,
    layoutShift: audits['cumulative-layout-shift']?.numericValue,
    hydrated,
    blocking: hydrated && sum(blocking.map(({ duration = 0 }) => duration - blockingThreshold)),
    html: kilobytes('Document'),
    script: hydrated && kilobytes('Script'),
    reaction: timing('reaction')?.duration,
    nextPaint: audits['interaction-to-next-paint']?.numericValue,
  };
}

/** Loads a page on a slow phone. */
export const measureLoad = (browser: Browser, address: string): Promise<Sample> =>
  withPage(browser, async (page) => {
    const flow = await startFlow(page, { flags });
    await flow.navigate(address);
    return figuresOf(flow);
  });

/**
 * Clicks an element of a page that is idle, on a slow phone.
 *
 * @param prefetches whether the visitor points at the element until the network is idle; else nothing is prefetched
 */
export const measureClick = (
  browser: Browser,
  address: string,
  selector: string,
  prefetches: boolean,
): Promise<Sample> =>
  withPage(browser, async (page) => {
    if (!prefetches) await page.evaluateOnNewDocument(saveData);
    await page.goto(address, { waitUntil: 'networkidle0' });
    await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
    if (prefetches) await page.hover(selector);
    await page.waitForNetworkIdle({ idleTime: 1_000 });
    await page.evaluate(measureReaction);
    const flow = await startFlow(page, { flags });
    await flow.startTimespan();
    if (prefetches) await page.click(selector);
    else await page.$eval(selector, (element) => (element as HTMLElement).click());
    await page.waitForFunction(() => performance.getEntriesByName('reaction').length > 0);
    await flow.endTimespan();
    return figuresOf(flow);
  });

/** Lighthouse's scores of a page with its default settings, 0 to 100. */
export const measureScores = (browser: Browser, address: string): Promise<Sample> =>
  withPage(browser, async (page) => {
    const flow = await startFlow(page, { flags: { onlyCategories: [...categories] } });
    await flow.navigate(address);
    const scores = (await flow.createFlowResult()).steps[0]?.lhr.categories ?? {};
    return Object.fromEntries(categories.map((name) => [name, (scores[name]?.score ?? Number.NaN) * 100]));
  });
