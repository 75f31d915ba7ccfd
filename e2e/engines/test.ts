import { findFirefox, findWebKit } from '@daybook/testing/browser';
import { test as base, expect } from '@playwright/test';
import type { BrowserWindow, OpenWindow } from './browser-window.ts';
import { startFirefox } from './firefox-window.ts';
import { openWebKitWindow } from './webkit-window.ts';

const firefox = findFirefox();
const webkit = findWebKit();

type StartEngine = (started: AsyncDisposableStack) => Promise<OpenWindow>;

/** Starts each engine; `undefined` if this machine does not have it. */
const engines: Readonly<Record<EngineFixtures['engine'], StartEngine | undefined>> = {
  firefox: firefox === undefined ? undefined : (started) => startFirefox(firefox, started),
  webkit: webkit && (async () => (size, opened) => openWebKitWindow(webkit, size, opened)),
};

/**
 * Messages of an engine that no page can avoid. WebKit requests a preloaded script without its integrity value, so the
 * Integrity-Policy blocks it; the script loads when it is needed.
 */
const knownMessages: Readonly<Partial<Record<EngineFixtures['engine'], readonly RegExp[]>>> = {
  webkit: [/^Cannot load <link rel="preload" as="script"/],
};

/** The window of a phone. */
const size = { width: 390, height: 844 };

/** Some texts are there for a second only. */
const soon = { intervals: [100] };

/** A visitor of the assembled site in one engine: a window, and what several journeys look for. */
function visitorWith(window: BrowserWindow) {
  // Unlike `textContent`, only what is visible.
  // biome-ignore lint/performance/useDomNodeTextContent: see above
  const text = () => window.evaluate(() => document.body.innerText);
  return {
    ...window,
    /** Opens a path of the site, and waits for hydration. */
    async visit(path: string) {
      await window.open(process.env.SITE_URL + path);
      // Text pages load their scripts when the visitor does something. Escape does not let pages open tabs.
      await window.press('Escape');
      await expect.poll(() => window.evaluate(() => !!document.querySelector('#daybook-page[data-ready]'))).toBe(true);
    },
    /** Waits until the page shows a text. */
    sees: (expected: string) => expect.poll(text, soon).toContain(expected),
    /** Waits until the page shows a text no more. */
    seesNo: (unexpected: string) => expect.poll(text).not.toContain(unexpected),
    /** Waits until an element with this tag, and this text or label, has the focus. */
    hasFocusOn: (tag: 'a' | 'h1' | 'h2' | 'input', expected: string) =>
      expect
        .poll(() =>
          window.evaluate(() => {
            const element = document.activeElement as HTMLInputElement | null;
            return [element?.localName, element?.labels?.[0]?.textContent ?? element?.textContent];
          }),
        )
        .toEqual([tag, expected]),
    /** Waits for a path of the site. */
    isAt: (path: string) => expect.poll(async () => new URL(await window.url()).pathname).toBe(path),
    goBack: () => window.evaluate(() => history.back()),
  };
}

interface Fixtures {
  readonly visitor: ReturnType<typeof visitorWith>;
}

/** Fixtures of a worker, which runs one engine. */
export interface EngineFixtures {
  /** Set by the projects in `playwright.config.ts`. */
  readonly engine: 'firefox' | 'webkit';
  readonly openWindow: OpenWindow;
}

/** A test in the engine of its project; skipped if this machine does not have it. */
export const test = base.extend<Fixtures, EngineFixtures>({
  engine: ['firefox', { option: true, scope: 'worker' }],
  openWindow: [
    async ({ engine }, use) => {
      const start = engines[engine];
      base.skip(start === undefined, `${engine} is not installed.`);
      const started = new AsyncDisposableStack();
      try {
        await use(await (start as StartEngine)(started));
      } finally {
        await started.disposeAsync();
      }
    },
    { scope: 'worker', timeout: 200_000 },
  ],
  visitor: async ({ openWindow, engine }, use) => {
    const opened = new AsyncDisposableStack();
    const window = await openWindow(size, opened);
    let messages: readonly string[];
    try {
      await use(visitorWith(window));
      messages = await window.messages();
    } finally {
      await opened.disposeAsync();
    }
    const known = knownMessages[engine] ?? [];
    const unexpected = messages.filter((line) => !known.some((pattern) => pattern.test(line)));
    expect(unexpected, 'errors and warnings in the console').toEqual([]);
  },
});

export { expect };
