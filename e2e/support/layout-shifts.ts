import type { Page } from '@playwright/test';
import { untilReady } from './test.ts';

/**
 * Goes to a page as a first visit on a slow network does, whose headings' face comes too late to be shown, and writes
 * down from the start what moves without the visitor's doing.
 */
export async function arriveRecordingShifts(page: Page, address: string): Promise<void> {
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
