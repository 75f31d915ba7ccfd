import type { Browser, BrowserContext, Page } from 'playwright';
import { installProbe, type PageFigures } from './probe.ts';
import type { Variant } from './variants/variant.ts';

/** “Slow 4G”, as the developer tools of Chromium have it; bytes a second, and ms for each request. */
const network = {
  offline: false,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
  latency: 150,
} as const;

/** A cheap phone has a quarter of this machine's speed. */
const slowDown = 4;

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;

/** A page that is not there after this many ms will not be. */
const loadLimit = 60_000;

/** The arguments of the browser that measures: nothing else shall use processor and network. */
export const browserArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

/** Makes a page as slow as a cheap phone on a slow network. */
async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
}

/** Keeps a page from loading other pages ahead: it is told that the visitor saves data. */
export function saveData(): void {
  const connection = (navigator as Navigator & { readonly connection?: object }).connection;
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}

export interface PhoneOptions {
  readonly savesData?: boolean;
  /** Full speed, for what is not measured. */
  readonly fast?: boolean;
}

/**
 * Opens a page of a new visitor with a cheap phone, with nothing in any cache, hands it over and closes it.
 *
 * @param use what is done with it
 */
export async function withPhone<Result>(
  browser: Browser,
  use: (page: Page, context: BrowserContext) => Promise<Result>,
  { savesData = false, fast = false }: PhoneOptions = {},
): Promise<Result> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(loadLimit);
    if (!fast) await throttle(page);
    await page.addInitScript(installProbe);
    if (savesData) await page.addInitScript(saveData);
    return await use(page, context);
  } finally {
    await context.close();
  }
}

/**
 * Loads a page, and waits until it answers and is quiet.
 *
 * @throws Error naming the page that never does
 */
export async function load(page: Page, { name, hydrates }: Variant, address: string): Promise<PageFigures> {
  await page.goto(address, { waitUntil: 'commit' });
  const figures = page.evaluate((hydrated) => window.pageProbe.figures(hydrated), hydrates);
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => limit.reject(new Error(`${address} (${name}) does not answer within ${loadLimit / 1000} s.`)),
    loadLimit,
  );
  try {
    return await Promise.race([figures, limit.promise]);
  } finally {
    clearTimeout(timer);
    // Closing the page ends what is waited for no longer.
    figures.catch(() => undefined);
  }
}

/** Without a request for so many ms, a page has loaded what it loads ahead. */
const idle = 1_000;

/**
 * Does something on a page, and waits until what it asks the network for because of that is there.
 *
 * @param act such as pointing at a link
 */
export async function untilNetworkIsQuiet(page: Page, act: () => Promise<void>): Promise<void> {
  const quiet = Promise.withResolvers<void>();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  const changed = (by: number) => () => {
    underWay += by;
    clearTimeout(timer);
    if (underWay <= 0) timer = setTimeout(quiet.resolve, idle);
  };
  const [begun, ended] = [changed(1), changed(-1)];
  page.on('request', begun).on('requestfinished', ended).on('requestfailed', ended);
  try {
    await act();
    changed(0)();
    await quiet.promise;
  } finally {
    clearTimeout(timer);
    page.off('request', begun).off('requestfinished', ended).off('requestfailed', ended);
  }
}
