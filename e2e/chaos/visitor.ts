import type { Browser, Page } from '@playwright/test';
import type { ChaosSite } from './chaos-site.ts';

/** What a visitor was shown: a page of `name@version`, or the fallback. */
export interface Shown {
  readonly kind: 'page' | 'fallback';
  /** What is named: the release that the page is of, or what is to blame. */
  readonly release: string;
}

/** What a page shows once it has come to rest. */
export async function shownOn(page: Page): Promise<Shown> {
  const settled = page
    .locator('[data-remote], [data-failed-remote]')
    .filter({ has: page.getByRole('heading', { level: 1 }) });
  await settled.first().waitFor({ timeout: 60_000 });
  const release = await settled.first().getAttribute('data-remote');
  const failed = await settled.first().getAttribute('data-failed-remote');
  return failed === null ? { kind: 'page', release: release ?? '' } : { kind: 'fallback', release: failed };
}

/** Somebody with a browser of their own. */
export class Visitor {
  readonly page: Page;
  readonly #site: ChaosSite;

  private constructor(page: Page, site: ChaosSite) {
    this.page = page;
    this.#site = site;
  }

  static async arrive(browser: Browser, site: ChaosSite): Promise<Visitor> {
    const context = await browser.newContext();
    return new Visitor(await context.newPage(), site);
  }

  async open(path: string): Promise<Shown> {
    // A script that hangs would hold up the load event.
    await this.page.goto(this.#site.address + path, { waitUntil: 'domcontentloaded' });
    // The page that the server composed is there at once; what counts is what becomes of it.
    await this.page.locator('#root[data-ready]').waitFor({ state: 'attached', timeout: 60_000 });
    return shownOn(this.page);
  }

  async leave(): Promise<void> {
    await this.page.context().close();
  }
}

/** A path of each remote to look at. */
export const pathOf: Readonly<Record<string, string>> = {
  'mf-legal': '/terms',
  'mf-offers': '/ebook-download',
  'mf-privacy': '/unsubscribe',
  'mf-signup': '/',
};

/** Fails unless every other remote shows its page to a new visitor. */
export async function othersWork(browser: Browser, site: ChaosSite, failing: string): Promise<void> {
  const visitor = await Visitor.arrive(browser, site);
  try {
    for (const other of site.origins.keys()) {
      if (other === failing) continue;
      const { kind, release } = await visitor.open(pathOf[other] ?? '/');
      if (kind !== 'page' || !release.startsWith(`${other}@`)) throw new Error(`${other} showed a ${kind}: ${release}`);
    }
  } finally {
    await visitor.leave();
  }
}
