import { saveData } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';

/** Transferred bytes of one page with an empty cache, without headers. */
export interface PageWeight {
  /** The HTML. */
  readonly document: number;
  /** The shell's scripts and styles. */
  readonly shell: number;
  /** The remote's scripts and styles, including its entry. */
  readonly remote: number;
  /** Number of requests, including fonts and pictures. */
  readonly requests: number;
}

/** Opens a page as a new visitor and measures its weight; with data saver on, so that nothing is prefetched. */
export async function weighPage(page: Page, address: string): Promise<PageWeight> {
  await page.addInitScript(saveData);
  await page.goto(address);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const weightOf = (folder: string) =>
      files
        .map(({ name, encodedBodySize }) => ({ path: new URL(name).pathname, encodedBodySize }))
        .filter(({ path }) => path.startsWith(folder) && /\.(?:js|css)$/.test(path))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return {
      document: document?.encodedBodySize ?? Number.NaN,
      shell: weightOf('/assets/'),
      remote: weightOf('/remotes/'),
      requests: files.length + 1,
    };
  });
}
