import type { Page } from '@playwright/test';
import { untilReady } from './test.ts';

/**
 * Writes down what moves without the visitor's doing, from the start of each page; the face of headings comes too late to
 * be shown, as at a first visit on a slow network.
 */
export async function recordShifts(page: Page): Promise<void> {
  await page.route('**/*.woff2', () => undefined);
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(globalThis, { layoutShifts: shifts });
    const nameOf = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
        shifts.push(`${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(' | ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Goes to a page and writes down what moves. */
export async function arriveRecordingShifts(page: Page, address: string): Promise<void> {
  await recordShifts(page);
  // The load event waits for the face.
  await page.goto(address, { waitUntil: 'domcontentloaded' });
  await untilReady(page);
}

/** What has moved so far, once the browser has painted what there is. */
export function layoutShift(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts = (globalThis as unknown as { layoutShifts: string[] }).layoutShifts;
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts))));
      }),
  );
}
