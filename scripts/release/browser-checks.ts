import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Release, releaseFileAddress, shellManifestFileName } from '@daybook/contract';
import { CommandError } from '@daybook/server';
import { launchBrowser } from '@daybook/testing/browser';
import { accessibilityFindings, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import { findFreePort } from '@daybook/testing/ports';
import { type Child, hasEnded, startServer, stopChild } from '@daybook/testing/processes';
import { examplesOf, root } from '@daybook/testing/workspaces';
import type { Browser, ConsoleMessage, Page } from 'playwright';
import { buildMissing } from '../build-stale.ts';
import type { Candidate } from './candidate.ts';

/** Timeouts in ms: of the server to serve the candidate, and of a page to be shown. */
const serverTimeout = 30_000;
const pageTimeout = 15_000;

/** Port 9 belongs to the discard service: nothing listens there, so every API call fails. */
const noBackend = 'http://127.0.0.1:9';

/** pino's level of errors. */
const errorLevel = 50;

/** Parses a server's log: returns the messages of all lines as text, and those of errors. */
function readLog(log: string) {
  const lines = log.trim().split('\n');
  const parsed = lines.map((line): { readonly level?: unknown; readonly msg?: unknown } => {
    try {
      return Object(JSON.parse(line));
    } catch {
      // Not a line of pino, or incomplete.
      return {};
    }
  });
  const errors = parsed.filter(({ level }) => typeof level === 'number' && level >= errorLevel);
  return {
    text: parsed.map(({ msg }, index) => String(msg ?? lines[index])).join('\n'),
    errors: errors.map(({ msg }) => String(msg)),
  };
}

/**
 * Waits until a shell server serves a release.
 *
 * @param server with its output as a `pipe`
 * @throws CommandError with the server's log, as soon as it logs an error or exits
 */
export async function waitUntilServed(server: Child, isServed: () => Promise<boolean>): Promise<void> {
  const chunks: Buffer[] = [];
  const { stdout, stderr } = server.nodeChildProcess;
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const log = () => readLog(Buffer.concat(chunks).toString());
  const end = Date.now() + serverTimeout;
  while (!(await isServed())) {
    const { errors } = log();
    if (errors.length > 0) throw new CommandError(`The shell server rejects the release:\n  ${errors.join('\n  ')}`);
    if (hasEnded(server)) {
      const { exitCode, signal } = await server;
      const how = signal ? `was ended by ${signal}` : `ended with code ${exitCode}`;
      throw new CommandError(`${log().text}\n\nThe shell server ${how} before it served the release.`.trim());
    }
    if (Date.now() > end)
      throw new CommandError(`${log().text}\n\nThe shell server does not serve the release in time.`.trim());
    await delay(50);
  }
}

/** Starts a shell server whose only remote is the candidate; it activates the release as in production. */
async function startPrivateShell(
  started: AsyncDisposableStack,
  { folder, release }: Pick<Candidate, 'folder' | 'release'>,
): Promise<string> {
  await buildMissing('shell', shellManifestFileName, console.log);
  const port = await findFreePort();
  const releases = mkdtempSync(path.join(tmpdir(), 'daybook-release-'));
  started.defer(() => rmSync(releases, { recursive: true, force: true }));
  const server = startServer(
    [path.join(root, 'shell/server/main.ts')],
    {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: '',
      BACKEND_URL: noBackend,
      REMOTES: `${release.name}=file:${folder}`,
      RELEASES_FOLDER: releases,
      DEVELOPMENT: 'false',
    },
    'pipe',
  );
  started.defer(() => stopChild(server));
  const address = `http://127.0.0.1:${port}`;
  const firstPage = address + (release.routes[0]?.path ?? '/');
  const isServed = async () => (await (await fetch(firstPage)).text()).includes(releaseFileAddress(release, ''));
  await waitUntilServed(server, () => isServed().catch(() => false));
  return address;
}

const isApiCall = (address: string) => new URL(address, 'http://nowhere').pathname.startsWith('/api/');

/** Returns whether the browser itself logged the message: only messages of the page's code have arguments. */
const isOfBrowser = (message: ConsoleMessage) => message.args().length === 0;

/**
 * Collects console errors and warnings, uncaught errors and failed requests. Ignores failed API calls and all that
 * the page logs after one: no backend runs.
 */
export function watchPage(page: Page): readonly string[] {
  const pageErrors: string[] = [];
  let apiFailed = false;
  const requestFailed = (address: string, how: string) => {
    if (isApiCall(address)) apiFailed = true;
    else pageErrors.push(`failed request: ${new URL(address).pathname} (${how})`);
  };
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (isOfBrowser(message) ? isApiCall(message.location().url) : apiFailed) return;
    pageErrors.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => pageErrors.push(`uncaught error: ${error.message}`));
  page.on('requestfailed', (request) => requestFailed(request.url(), request.failure()?.errorText ?? ''));
  page.on('response', (response) => {
    if (response.status() >= 400) requestFailed(response.url(), `status ${response.status()}`);
  });
  return pageErrors;
}

const sizes = [
  { size: 'desktop', viewport: { width: 1280, height: 800 } },
  { size: 'phone', viewport: { width: 390, height: 844 } },
] as const;
const views = sizes.flatMap(({ size, viewport }) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ name: `${size} ${colorScheme}`, size, viewport, colorScheme })),
);

/** WCAG 1.4.10 requires pages to fit a window 320 px wide. */
const narrowest = { width: 320, height: 800 };

/** Waits until the release's page or the shell's fallback is shown; returns the problems found. */
async function waitUntilShown(page: Page, { name, version }: Release): Promise<readonly string[]> {
  const shown = page.locator(`[data-remote="${name}@${version}"]`).getByRole('heading').first();
  const failed = page.locator('[data-failed-remote]').first();
  try {
    // The composed page is visible before its own code has run.
    await page.locator('#root[data-ready]').waitFor({ state: 'attached', timeout: pageTimeout });
    await shown.or(failed).first().waitFor({ timeout: pageTimeout });
  } catch {
    return [`no heading of ${name}@${version} is shown within ${pageTimeout / 1000} s`];
  }
  return (await failed.isVisible()) ? ['the shell shows its fallback: the page could not be loaded or drawn'] : [];
}

async function narrowProblems(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(narrowest);
  const beyond = await sidewaysScroll(page);
  if (beyond <= 0) return [];
  const elements = (await sticksOut(page)).slice(0, 3).join('; ');
  return [`scrolls sideways by ${beyond} px in a window of ${narrowest.width} px: ${elements}`];
}

async function checkView(browser: Browser, address: string, release: Release, view: (typeof views)[number]) {
  const { viewport, colorScheme } = view;
  // A new context each time: nothing is cached or stored from the previous view.
  const context = await browser.newContext({ viewport, colorScheme });
  try {
    const page = await context.newPage();
    const pageErrors = watchPage(page);
    await page.goto(address);
    const notShown = await waitUntilShown(page, release);
    if (notShown.length > 0) return [...notShown, ...pageErrors];
    await page.evaluate(() => document.fonts.ready);
    const findings = (await accessibilityFindings(page)).map((finding) => `axe: ${finding}`);
    const narrow = view.size === 'phone' ? await narrowProblems(page) : [];
    return [...findings, ...narrow, ...pageErrors];
  } finally {
    await context.close();
  }
}

/** Checks one page in every view; returns the problems, with the affected views unless all are. */
async function checkPage(browser: Browser, address: string, release: Release): Promise<readonly string[]> {
  const found = new Map<string, string[]>();
  for (const view of views)
    for (const problem of new Set(await checkView(browser, address, release, view)))
      found.set(problem, [...(found.get(problem) ?? []), view.name]);
  return [...found].map(([problem, names]) =>
    names.length === views.length ? problem : `${problem} (${names.join(', ')})`,
  );
}

/**
 * Checks every page of a candidate in a real browser, inside a private shell.
 *
 * @throws CommandError with each failing page and its problems
 */
export async function checkInBrowser(started: AsyncDisposableStack, candidate: Candidate): Promise<void> {
  const address = await startPrivateShell(started, candidate);
  const browser = await launchBrowser(started);
  const examples = examplesOf(candidate.release.name);
  const found: string[] = [];
  for (const route of candidate.release.routes) {
    const problems = await checkPage(browser, address + route.path + (examples[route.path] ?? ''), candidate.release);
    console.log(`    ${problems.length === 0 ? '✓' : '✗'} ${route.path}`);
    found.push(...problems.map((problem) => `  ${route.path}: ${problem}`));
  }
  if (found.length > 0) throw new CommandError(`In the browser:\n${found.join('\n')}`);
}
