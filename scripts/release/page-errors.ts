import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSourceMap, sourcePosition } from '@daybook/build/source-position';
import type { ReleaseBuild } from '@daybook/releases';
import type { ConsoleMessage, Page } from 'playwright';

const isApiCall = (url: string) => new URL(url, 'http://nowhere').pathname.startsWith('/api/');

/** Only messages of the page's code have arguments. */
const isOfBrowser = (message: ConsoleMessage) => message.args().length === 0;

/** Returns a function that finds the source of an error in the build's code by its stack. */
function sourceFinder({ folder, release }: Pick<ReleaseBuild, 'folder' | 'release'>) {
  const mapOf = (script: string) => {
    const file = path.join(folder, `${script}.map`);
    return existsSync(file) ? parseSourceMap(readFileSync(file, 'utf8')) : undefined;
  };
  return (stack: string) => sourcePosition(stack, mapOf, release.name);
}

function callOf(message: ConsoleMessage): string {
  const { url, lineNumber, columnNumber } = message.location();
  return `${url}:${lineNumber + 1}:${columnNumber + 1}`;
}

/**
 * Collects errors, warnings and failed requests in a list that grows. Ignores failed API calls and all that the page logs
 * after one: no backend runs.
 */
export function watchPage(page: Page, build: Pick<ReleaseBuild, 'folder' | 'release'>): readonly string[] {
  const sourceOf = sourceFinder(build);
  const pageErrors: string[] = [];
  let apiFailed = false;
  const report = (what: string, text: string, stack: string) => {
    const source = sourceOf(stack);
    pageErrors.push(`${what}: ${text.split('\n', 1)[0]}${source ? ` (${source})` : ''}`);
  };
  const requestFailed = (url: string, how: string) => {
    if (isApiCall(url)) apiFailed = true;
    else pageErrors.push(`failed request: ${new URL(url).pathname} (${how})`);
  };
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const text = message.text();
    if (isOfBrowser(message)) {
      // Reported as a failed request.
      if (isApiCall(message.location().url) || text.startsWith('Failed to load resource')) return;
    } else if (apiFailed) return;
    report(`console ${message.type()}`, text, `${text}\n${callOf(message)}`);
  });
  page.on('pageerror', (error) => report('uncaught error', error.message, error.stack ?? ''));
  page.on('requestfailed', (request) => requestFailed(request.url(), request.failure()?.errorText ?? ''));
  page.on('response', (response) => {
    if (response.status() >= 400) requestFailed(response.url(), `status ${response.status()}`);
  });
  return pageErrors;
}
