import type { Page } from '@playwright/test';

/** Returns the layout shifts since the document began, after the next paint. */
export function layoutShifts(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
    const nameOf = (node: Node | null) => (node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName);
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: 'layout-shift', buffered: true });
    return observer.takeRecords().map((entry) => {
      const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node: Node | null }[] };
      return `${value.toFixed(4)}: ${sources.map(({ node }) => nameOf(node)).join(' | ')}`;
    });
  });
}
