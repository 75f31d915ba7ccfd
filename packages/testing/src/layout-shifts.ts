import type { Page } from '@playwright/test';

/**
 * Returns the layout shifts since the document began, after the next paint. Ignores those below 0.01: if the font of
 * headings comes after the first frame, the words beside an offer's figure move by some pixels.
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
