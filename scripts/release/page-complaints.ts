import type { ConsoleMessage, Page, Request } from 'playwright';

const isApiCall = (address: string) => new URL(address, 'http://nowhere').pathname.startsWith('/api/');

const addressOf = (request: Request) => new URL(request.url()).pathname;

/** The browser's own messages come without arguments; what the page's code logs has some. */
const isOfBrowser = (message: ConsoleMessage) => message.args().length === 0;

/**
 * Watches a page from now on for what no good page has: errors and warnings in the console, errors that nobody
 * caught, requests that fail.
 *
 * No backend runs, so calls of the API fail, and are not counted: requests below /api/, what the browser says of
 * those, and what the page's own code logs once one has failed.
 *
 * @returns gives the complaints up to now
 */
export function watchPage(page: Page): () => readonly string[] {
  const complaints: string[] = [];
  let apiFailed = false;
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (isOfBrowser(message) ? isApiCall(message.location().url) : apiFailed) return;
    complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught error: ${error.message}`));
  page.on('requestfailed', (request) => {
    if (isApiCall(request.url())) apiFailed = true;
    else complaints.push(`failed request: ${addressOf(request)} (${request.failure()?.errorText})`);
  });
  page.on('response', (response) => {
    if (response.status() < 400) return;
    if (isApiCall(response.url())) apiFailed = true;
    else complaints.push(`failed request: ${addressOf(response.request())} (status ${response.status()})`);
  });
  return () => complaints;
}
