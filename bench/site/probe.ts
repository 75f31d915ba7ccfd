/** What a page tells of its own loading; times in ms since the navigation began. */
export interface PageFigures {
  readonly firstPaint: number;
  readonly largestPaint: number;
  /** When React has attached itself to the page; missing on a page without React. */
  readonly hydrated?: number;
  /** What long tasks after the first paint take beyond 50 ms each. */
  readonly blocking: number;
  readonly layoutShift: number;
  /** Of what the page needs until then, with its fonts and pictures, as transferred, with 300 bytes of headers for each answer. */
  readonly bytes: number;
  /** Of scripts alone, compressed, without headers. */
  readonly scriptBytes: number;
  readonly requests: number;
}

/** How a page is asked for its figures, by the probe that is in it. */
export interface PageProbe {
  /** Resolves once the page is hydrated (where it ever is), loaded, and was quiet for a moment. */
  figures(hydrates: boolean): Promise<PageFigures>;
}

declare global {
  interface Window {
    pageProbe: PageProbe;
  }
}

/**
 * Watches a page from its very beginning on. Runs in the page: it is handed over as text, so it names nothing that is
 * outside of it.
 *
 * A page is *hydrated* as soon as React has attached itself to its heading (`main h1`) and to each of its links, buttons
 * and fields: React keeps their properties in a key of the element whose name starts with `__reactProps$`. That is so in
 * pages that React has rendered and in those that it has taken over, and says the same of both: from now on the page
 * answers. It is looked for in each frame.
 */
export function installProbe(): void {
  const longest = 50;
  const quiet = 150;
  let largestPaint = 0;
  let layoutShift = 0;
  let hydrated: number | undefined;
  const tasks: PerformanceEntry[] = [];
  const takeIn: Record<string, (entry: PerformanceEntry) => void> = {
    'largest-contentful-paint': (entry) => {
      largestPaint = entry.startTime;
    },
    'layout-shift': (entry) => {
      layoutShift += (entry as PerformanceEntry & { readonly value: number }).value;
    },
    longtask: (entry) => {
      tasks.push(entry);
    },
  };
  const observers = Object.entries(takeIn).map(([type, take]) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    });
    observer.observe({ type, buffered: true });
    return () => {
      for (const entry of observer.takeRecords()) take(entry);
    };
  });

  const isAttached = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps$'));
  const isHydrated = () => {
    const heading = document.querySelector('main h1');
    if (!heading || !isAttached(heading)) return false;
    return [...document.querySelectorAll('body :is(a[href], button, input, select, textarea)')].every(isAttached);
  };
  const whenHydrated = new Promise<void>((resolve) => {
    const look = () => {
      if (!isHydrated()) return void requestAnimationFrame(look);
      hydrated = performance.now();
      resolve();
    };
    requestAnimationFrame(look);
  });
  const whenLoaded = new Promise<void>((resolve) => {
    addEventListener('load', () => resolve());
  });

  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  window.pageProbe = {
    async figures(hydrates) {
      if (document.readyState !== 'complete') await whenLoaded;
      if (hydrates) await whenHydrated;
      await document.fonts.ready;
      await new Promise((resolve) => setTimeout(resolve, quiet));
      for (const takeRest of observers) takeRest();
      const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      if (!page) throw new Error('The browser does not time this navigation.');
      const firstPaint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
      const until = (hydrates ? hydrated : undefined) ?? page.loadEventEnd;
      const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      // Fonts and pictures are asked for once they are seen; what else comes later is loaded ahead, for other pages.
      const ofPage = resources.filter(
        ({ startTime, initiatorType }) => startTime <= until || ['css', 'img'].includes(initiatorType),
      );
      const needed = [page, ...ofPage].filter(({ transferSize }) => transferSize > 0);
      const scripts = needed.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
      const blocking = tasks
        .map(({ startTime, duration }) => startTime + duration - Math.max(startTime, firstPaint) - longest)
        .filter((time) => time > 0);
      return {
        firstPaint,
        largestPaint,
        ...(hydrates && hydrated !== undefined ? { hydrated } : {}),
        blocking: sum(blocking),
        layoutShift,
        bytes: sum(needed.map(({ transferSize }) => transferSize)),
        scriptBytes: sum(scripts.map(({ encodedBodySize }) => encodedBodySize)),
        requests: needed.length,
      };
    },
  };
}
