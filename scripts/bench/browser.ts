import { launchBrowser } from '@daybook/testing/browser';
import { saveData } from '@daybook/testing/page-checks';
import type { Browser, BrowserContextOptions, Page } from 'playwright';
import type { Sample } from './comparison.ts';

/** A cheap phone on “Slow 4G”. */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const cpuSlowdown = 4;
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1_600 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

const desktop = { viewport: { width: 1280, height: 800 } };

export const startBrowser = (started: AsyncDisposableStack): Promise<Browser> =>
  launchBrowser(started, { args: ['--disable-background-networking', '--disable-component-update'] });

interface Recorded {
  largestPaint?: number;
  layoutShift: number;
  readonly longTasks: { readonly start: number; readonly duration: number }[];
  /** Durations in ms of interactions, until their next paint. */
  readonly interactions: number[];
}
type RecordedWindow = typeof globalThis & { readonly recorded: Recorded };

/**
 * Records the browser's own timings, as web-vitals does, and when the page is interactive: React stores an element's
 * properties under a key that starts with `__reactProps$`. Runs in the page.
 */
function recordTimings(): void {
  const recorded: Recorded = { layoutShift: 0, longTasks: [], interactions: [] };
  Object.assign(window, { recorded });
  const observe = (type: string, record: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(record)).observe({ type, buffered: true, ...options });
  observe('largest-contentful-paint', ({ startTime }) => {
    recorded.largestPaint = startTime;
  });
  observe('layout-shift', (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) recorded.layoutShift += value;
  });
  observe('longtask', ({ startTime, duration }) => recorded.longTasks.push({ start: startTime, duration }));
  observe('event', ({ duration }) => recorded.interactions.push(duration), { durationThreshold: 16 });
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
async function withPage<Result>(
  browser: Browser,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.addInitScript(recordTimings);
    return await use(page);
  } finally {
    await context.close();
  }
}

async function slowDown(page: Page, slowsNetwork = true): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown });
  if (!slowsNetwork) return;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns what a page has recorded, and the size of its scripts in kB as transferred. */
async function figuresOf(page: Page): Promise<Sample> {
  const { recorded, hydrated, reaction, scripts } = await page.evaluate(() => ({
    recorded: (window as unknown as RecordedWindow).recorded,
    hydrated: performance.getEntriesByName('hydrated')[0]?.startTime,
    reaction: performance.getEntriesByName('reaction')[0]?.duration,
    scripts: (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
      .map(({ startTime, transferSize }) => ({ start: startTime, size: transferSize })),
  }));
  // A text page loads no script by itself.
  const until = hydrated ?? Number.POSITIVE_INFINITY;
  const before = <Each extends { readonly start: number }>(each: readonly Each[]) =>
    each.filter(({ start }) => start < until);
  return {
    largestPaint: recorded.largestPaint,
    layoutShift: recorded.layoutShift,
    hydrated,
    // As Total Blocking Time.
    blocking: sum(before(recorded.longTasks).map(({ duration }) => duration - 50)),
    script: sum(before(scripts).map(({ size }) => size / 1000)),
    reaction,
    nextPaint: recorded.interactions.length > 0 ? Math.max(...recorded.interactions) : undefined,
  };
}

/** Time in ms after the last change of a page. */
const painting = 1_500;

export const measureLoad = (browser: Browser, url: string): Promise<Sample> =>
  withPage(browser, phone, async (page) => {
    await slowDown(page);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(painting);
    return figuresOf(page);
  });

/** Measures a click on an element, which the pointer hovers until the network is idle if it prefetches. */
export const measureClick = (browser: Browser, url: string, selector: string, prefetches: boolean): Promise<Sample> =>
  withPage(browser, desktop, async (page) => {
    if (!prefetches) await page.addInitScript(saveData);
    await page.goto(url, { waitUntil: 'networkidle' });
    // Text pages wait for the visitor to do something.
    await page.keyboard.press('Shift');
    await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0);
    const element = page.locator(selector).first();
    if (prefetches) await element.hover();
    await page.waitForTimeout(painting);
    await page.evaluate(measureReaction);
    await page.evaluate(() => void (window as unknown as RecordedWindow).recorded.interactions.splice(0));
    await slowDown(page);
    if (prefetches) await element.click();
    else await element.dispatchEvent('click');
    await page.waitForFunction(() => performance.getEntriesByName('reaction').length > 0);
    await page.waitForTimeout(painting);
    return figuresOf(page);
  });

/** Measures the first press on an element of an idle page with a slow processor, as the browser reports it. */
export const measurePress = (browser: Browser, url: string, selector: string): Promise<Sample> =>
  withPage(browser, desktop, async (page) => {
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(2 * painting);
    await slowDown(page, false);
    await page.locator(selector).first().click();
    await page.locator('dialog[open], :checked').first().waitFor();
    await page.waitForTimeout(painting);
    const { nextPaint } = await figuresOf(page);
    return { nextPaint };
  });

/** Returns the HTML of the dialog that a press opens, closed, and the styles that it loads. */
export const readDialog = (browser: Browser, url: string, selector: string) =>
  withPage(browser, desktop, async (page) => {
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator(selector).first().click();
    await page.locator('dialog[open] form').waitFor();
    return page.evaluate(async () => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href*="/remotes/"]')];
      const styles = await Promise.all(links.map(async ({ href }) => (await fetch(href)).text()));
      const dialog = document.querySelector('dialog');
      dialog?.removeAttribute('open');
      return { dialog: dialog?.outerHTML ?? '', styles: styles.join('') };
    });
  });
