import puppeteer from 'puppeteer-core';
import { elementTimeout, type OpenWindow } from './browser-window.ts';

/**
 * Starts Firefox with Puppeteer: Playwright drives only its own Firefox.
 *
 * @returns opens a window of its own storage and cookies
 */
export async function startFirefox(executablePath: string, started: AsyncDisposableStack): Promise<OpenWindow> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    // As visitors have it; WebDriver turns the popup blocker off.
    extraPrefsFirefox: { 'dom.disable_open_during_load': true },
  });
  started.defer(() => browser.close());
  return async (size, opened) => {
    const context = await browser.createBrowserContext();
    opened.defer(() => context.close());
    const page = await context.newPage();
    await page.setViewport(size);
    const messages: string[] = [];
    const alerts: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warn'].includes(message.type())) messages.push(message.text());
    });
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.accept();
    });
    return {
      open: (url) => page.goto(url),
      url: async () => page.url(),
      evaluate: (run, ...parameters) => page.evaluate(run as never, ...parameters),
      click: (role, name) =>
        page
          .locator(`aria/${name}[role="${role}"]`)
          .setTimeout(elementTimeout)
          .setWaitForStableBoundingBox(false)
          .click(),
      press: (key) => page.keyboard.press(key),
      type: (text) => page.keyboard.type(text),
      alerts: async () => alerts,
      countTabs: async () => (await context.pages()).length,
      takeScreenshot: () => page.screenshot(),
      messages: async () => messages,
    };
  };
}
