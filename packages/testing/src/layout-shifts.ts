import type { Page } from '@playwright/test';

/**
 * Returns the layout shifts since the document began, after the next paint. Without small ones: a font that is there
 * after the first frame moves the words beside a number of an offer.
 */
export function layoutShifts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    const nameOf = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName);
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    return (observer.takeRecords() as LayoutShift[])
      .filter(({ value }) => value > 0.01)
      .map(({ value, sources }) => `${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(' | ')}`);
  });
}
