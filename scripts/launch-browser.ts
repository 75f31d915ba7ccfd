import { type Browser, chromium, type LaunchOptions } from 'playwright';
import { findBrowser } from './find-browser.ts';

/**
 * Starts the browser of a command, without a window.
 *
 * @param started it is put here, to be closed in the end
 * @throws Error where there is no browser
 */
export async function launchBrowser(started: AsyncDisposableStack, options: LaunchOptions = {}): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findBrowser(console.log),
    // On Ctrl-C Playwright would end the process by itself, before the command has stopped the rest.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    ...options,
  });
  started.defer(() => browser.close());
  return browser;
}
