import type { Page } from '@playwright/test';

/** Records layout shifts without user input from the start of each page. */
export async function recordShifts(page: Page): Promise<void> {
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

/** Returns the layout shifts so far, after the next paint. */
export function layoutShift(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts = (globalThis as unknown as { layoutShifts: string[] }).layoutShifts;
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(shifts))));
      }),
  );
}
