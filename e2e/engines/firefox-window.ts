import { launch, type Page } from 'puppeteer-core';
import { elementTimeout, type OpenWindow } from './browser-window.ts';

function recordMessages(page: Page): readonly string[] {
  const messages: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  return messages;
}

function acceptAlerts(page: Page): readonly string[] {
  const alerts: string[] = [];
  page.on('dialog', async (dialog) => {
    alerts.push(dialog.message());
    await dialog.accept();
  });
  return alerts;
}

/** Firefox is ready for WebDriver when it is idle, which takes a minute on a busy machine. */
const launchTimeout = 120_000;

/**
 * Starts Firefox over WebDriver BiDi.
 *
 * @param started closes the browser when it is disposed
 * @returns opens a window of its own storage and cookies
 */
export async function startFirefox(executablePath: string, started: AsyncDisposableStack): Promise<OpenWindow> {
  const browser = await launch({
    browser: 'firefox',
    executablePath,
    timeout: launchTimeout,
    protocolTimeout: launchTimeout,
    // As visitors have it; Puppeteer turns the popup blocker off.
    extraPrefsFirefox: { 'dom.disable_open_during_load': true },
  });
  started.defer(() => browser.close());
  return async (size, opened) => {
    const context = await browser.createBrowserContext();
    opened.defer(() => context.close());
    const page = await context.newPage();
    await page.setViewport(size);
    const [messages, alerts] = [recordMessages(page), acceptAlerts(page)];
    return {
      open: async (url) => {
        await page.goto(url);
      },
      url: async () => page.url(),
      evaluate: (run, ...parameters) => page.evaluate(run as never, ...parameters) as never,
      click: (role, name) =>
        page.locator(`::-p-aria([name="${name}"][role="${role}"])`).setTimeout(elementTimeout).click(),
      press: (key) => page.keyboard.press(key),
      type: (text) => page.keyboard.type(text),
      alerts: async () => alerts,
      countTabs: async () => (await context.pages()).length,
      takeScreenshot: async () => {
        // A tab in the background paints nothing.
        await page.bringToFront();
        return page.screenshot();
      },
      messages: async () => messages,
    };
  };
}
