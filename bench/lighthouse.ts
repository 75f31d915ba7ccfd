import { findBrowser } from '@daybook/runner/browser';
import { saveData } from '@daybook/runner/page-checks';
import { type Flags, startFlow } from 'lighthouse';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { Sample } from './comparison.ts';

/** A cheap phone on “Slow 4G”, with real throttling: Lighthouse's simulated throttling yields no hydration time. */
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

/** Categories of Lighthouse's scores. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** Tasks block the main thread for their time above this duration in ms, as in Total Blocking Time. */
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
 * Marks when the page is interactive: React has rendered or hydrated its heading and each link, button and field. React
 * stores an element's properties under a key that starts with `__reactProps$`. Runs in the page.
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

/** Measures `reaction`: from a click to the frame that shows another heading or a dialog. Runs in the page. */
function measureReaction(): void {
  const state = () => document.querySelector('dialog[open]') ?? document.querySelector('main h1')?.textContent;
  const listen = ({ timeStamp }: Event) => {
    const before = state();
    const check = () => {
      const now = state();
      if (!now || now === before) return void requestAnimationFrame(check);
      // A separate task runs after the frame.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => performance.measure('reaction', { start: timeStamp, end: performance.now() });
      port2.postMessage(undefined);
    };
    requestAnimationFrame(check);
  };
  addEventListener('click', listen, { capture: true, once: true });
}

/** Opens an empty page as a new visitor, with empty caches. */
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

/** Returns the available figures of the flow's last step. */
async function figuresOf(flow: Awaited<ReturnType<typeof startFlow>>): Promise<Sample> {
  const audits = (await flow.createFlowResult()).steps.at(-1)?.lhr.audits ?? {};
  type Item = Readonly<Record<string, number> & { name: string; resourceType: string }>;
  const itemsOf = (id: string) => (audits[id]?.details as { items?: readonly Item[] } | undefined)?.items ?? [];
  const timing = (name: string) => itemsOf('user-timings').find((item) => item.name === name);
  const hydrated = timing('hydrated')?.startTime;
  // A text page loads no script by itself.
  const until = hydrated ?? Number.POSITIVE_INFINITY;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const blocking = itemsOf('long-tasks').filter(({ startTime = 0 }) => startTime < until);
  const scripts = itemsOf('network-requests').filter(
    ({ resourceType, networkRequestTime = 0 }) => resourceType === 'Script' && networkRequestTime < until,
  );
  return {
    largestPaint: audits['largest-contentful-paint']?.numericValue,
    layoutShift: audits['cumulative-layout-shift']?.numericValue,
    hydrated,
    blocking: sum(blocking.map(({ duration = 0 }) => duration - blockingThreshold)),
    script: sum(scripts.map(({ transferSize = 0 }) => transferSize / 1000)),
    reaction: timing('reaction')?.duration,
    nextPaint: audits['interaction-to-next-paint']?.numericValue,
  };
}

/** Measures loading a page on a slow phone. */
export const measureLoad = (browser: Browser, url: string): Promise<Sample> =>
  withPage(browser, async (page) => {
    const flow = await startFlow(page, { flags });
    await flow.navigate(url);
    return figuresOf(flow);
  });

/**
 * Measures a click on an element of an idle page, on a slow phone.
 *
 * @param prefetches whether the pointer hovers the element until the network is idle; otherwise prefetching is off
 */
export const measureClick = (browser: Browser, url: string, selector: string, prefetches: boolean): Promise<Sample> =>
  withPage(browser, async (page) => {
    if (!prefetches) await page.evaluateOnNewDocument(saveData);
    await page.goto(url, { waitUntil: 'networkidle0' });
    // Text pages wait for the visitor to do something.
    await page.keyboard.press('Shift');
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

/** Time in ms on the page before it is pressed, and for the press to be painted. */
const [reading, painting] = [3_000, 1_500];
const wait = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/** Measures the first press on an element of an idle page with a slow processor, as the browser reports it. */
export const measurePress = (browser: Browser, url: string, selector: string): Promise<Sample> =>
  withPage(browser, async (page) => {
    await page.goto(url, { waitUntil: 'networkidle0' });
    await wait(reading);
    await page.emulateCPUThrottling(4);
    await page.evaluate(() => {
      Object.assign(window, { presses: [] });
      const { presses } = window as unknown as { readonly presses: number[] };
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) presses.push(duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    await page.click(selector);
    await page.waitForSelector('dialog[open], :checked');
    await wait(painting);
    const presses = await page.evaluate(() => (window as unknown as { readonly presses: number[] }).presses);
    return { nextPaint: Math.max(...presses) };
  });

/** Returns the HTML of the dialog that a press opens, closed, and the styles that it loads. */
export const readDialog = (browser: Browser, url: string, selector: string) =>
  withPage(browser, async (page) => {
    await page.goto(url, { waitUntil: 'networkidle0' });
    await page.click(selector);
    await page.waitForSelector('dialog[open] form');
    return page.evaluate(async () => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href*="/remotes/"]')];
      const styles = await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()));
      const dialog = document.querySelector('dialog');
      dialog?.removeAttribute('open');
      return { dialog: dialog?.outerHTML ?? '', styles: styles.join('') };
    });
  });

/** Returns Lighthouse's scores of a page with default settings, 0 to 100. */
export const measureScores = (browser: Browser, url: string): Promise<Sample> =>
  withPage(browser, async (page) => {
    const flow = await startFlow(page, { flags: { onlyCategories: [...categories] } });
    await flow.navigate(url);
    const scores = (await flow.createFlowResult()).steps[0]?.lhr.categories ?? {};
    return Object.fromEntries(categories.map((name) => [name, (scores[name]?.score ?? Number.NaN) * 100]));
  });
