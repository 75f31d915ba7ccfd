import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findBrowser, findFirefox, findWebKit } from '@daybook/runner/browser';
import { root } from '@daybook/runner/workspaces';
import { test as base, expect } from '@playwright/test';
import type { BrowserWindow, OpenWindow, WindowSize } from './browser-window.ts';
import { startPuppeteerBrowser } from './puppeteer-window.ts';
import { openWebKitWindow } from './webkit-window.ts';

const firefox = findFirefox();
const webkit = findWebKit();

type StartEngine = (started: AsyncDisposableStack) => Promise<OpenWindow>;

/** Starts each engine; `undefined` if this machine does not have it. */
const engines: Readonly<Record<EngineFixtures['engine'], StartEngine | undefined>> = {
  chromium: (started) => startPuppeteerBrowser('chrome', findBrowser(), started),
  firefox: firefox === undefined ? undefined : (started) => startPuppeteerBrowser('firefox', firefox, started),
  webkit: webkit && (async () => (size, opened) => openWebKitWindow(webkit, size, opened)),
};

/**
 * Messages of an engine that no page can avoid. WebKit requests a preloaded script without its integrity value, so the
 * Integrity-Policy blocks it; the script loads when it is needed.
 */
const knownMessages: Readonly<Partial<Record<EngineFixtures['engine'], readonly RegExp[]>>> = {
  webkit: [/^Cannot load <link rel="preload" as="script"/],
};

export const sizes: Readonly<Record<string, WindowSize>> = {
  phone: { width: 390, height: 844 },
  desktop: { width: 1280, height: 800 },
};

/** Some texts are there for a second only. */
const soon = { intervals: [100] };

/** A visitor of the assembled site in one engine: a window, and what several journeys look for. */
function visitorWith(window: BrowserWindow, pictures: string) {
  // Unlike `textContent`, only what is visible.
  // biome-ignore lint/performance/useDomNodeTextContent: see above
  const text = () => window.evaluate(() => document.body.innerText);
  return {
    ...window,
    /** Opens a path of the site, and waits for hydration. */
    async visit(path: string) {
      await window.open(process.env.SITE_ADDRESS + path);
      // Text pages load their scripts when the visitor does something. Escape does not let pages open tabs.
      await window.press('Escape');
      await expect.poll(() => window.evaluate(() => !!document.querySelector('#daybook-page[data-ready]'))).toBe(true);
    },
    /** Saves a picture of what is visible: `e2e/test-results/engines/<engine>/<size>/<name>.png`. */
    async picture(name: string) {
      mkdirSync(pictures, { recursive: true });
      writeFileSync(path.join(pictures, `${name}.png`), await window.takeScreenshot());
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
    isAt: (path: string) => expect.poll(async () => new URL(await window.address()).pathname).toBe(path),
    goBack: () => window.evaluate(() => history.back()),
  };
}

interface Fixtures {
  readonly size: string;
  readonly visitor: ReturnType<typeof visitorWith>;
}

/** Fixtures of a worker, which runs one engine. */
export interface EngineFixtures {
  /** Set by the projects in `playwright.config.ts`. */
  readonly engine: 'chromium' | 'firefox' | 'webkit';
  readonly openWindow: OpenWindow;
}

/** A test in the engine of its project; skipped if this machine does not have it. */
export const test = base.extend<Fixtures, EngineFixtures>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  size: ['', { option: true }],
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
  visitor: async ({ openWindow, engine, size }, use, testInfo) => {
    const opened = new AsyncDisposableStack();
    const window = await openWindow(sizes[size] as WindowSize, opened);
    const visitor = visitorWith(window, path.join(root, 'e2e/test-results/engines', engine, size));
    let messages: readonly string[];
    try {
      await use(visitor);
      if (testInfo.status !== testInfo.expectedStatus) await visitor.picture(`failed-${testInfo.testId}`);
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
