import type { Release, ReleaseRoute } from '@daybook/contract/release';
import type { ReleaseBuild } from '@daybook/releases/publish';
import { launchBrowser } from '@daybook/runner/browser';
import {
  accessibilityFindings,
  colorRules,
  sidewaysScroll,
  sticksOut,
  untilHydrated,
} from '@daybook/runner/page-checks';
import { examplesOf } from '@daybook/runner/workspaces';
import { CommandError } from '@daybook/server/command-line';
import type { Browser, Page } from 'playwright';
import { watchPage } from './page-errors.ts';
import { startPrivateShell } from './private-shell.ts';

/** Timeout of a page to be shown, in ms. */
const pageTimeout = 15_000;

const views = [
  { name: 'desktop', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
] as const;
type View = (typeof views)[number];

/** WCAG 1.4.10 requires pages to fit a window 320 px wide. */
const narrowest = { width: 320, height: 800 };

/** Waits until the release's page or the shell's fallback is shown; returns the problems found. */
async function waitUntilShown(page: Page, { name, version }: Release): Promise<readonly string[]> {
  const shown = page.locator(`[data-remote="${name}@${version}"]`).getByRole('heading').first();
  const failed = page.locator('[data-failed-remote]').first();
  try {
    // The composed page is visible before its own code has run.
    await untilHydrated(page, pageTimeout);
    await shown.or(failed).first().waitFor({ timeout: pageTimeout });
  } catch {
    return [`no heading of ${name}@${version} is shown within ${pageTimeout / 1000} s; each page needs an <h1>`];
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

/** What checking a page needs. */
interface Inspection {
  /** Address of the private shell. */
  readonly url: string;
  readonly build: ReleaseBuild;
  readonly examples: Readonly<Record<string, string>>;
}

/** Checks a page in one size; returns the problems found. */
async function checkPage(
  page: Page,
  { url, build, examples }: Inspection,
  { path: routePath }: ReleaseRoute,
  { viewport, name }: View,
): Promise<readonly string[]> {
  const pageErrors = watchPage(page, build);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.goto(url + routePath + (examples[routePath] ?? ''));
  const notShown = await waitUntilShown(page, build.release);
  if (notShown.length > 0) return pageErrors.length > 0 ? pageErrors : notShown;
  await page.evaluate(() => document.fonts.ready);
  const light = await accessibilityFindings(page);
  // Only colors differ between the schemes.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  const dark = (await accessibilityFindings(page, colorRules)).map((finding) => `${finding} in dark mode`);
  const narrow = name === 'phone' ? await narrowProblems(page) : [];
  return [...light, ...dark, ...narrow, ...pageErrors];
}

/** Leaves a page without reporting the requests that this aborts. */
async function leavePage(page: Page): Promise<void> {
  page.removeAllListeners();
  // Not `goto`: the browser would start another process.
  await page.evaluate(() => location.replace('about:blank'));
  await page.waitForURL('about:blank');
}

/** Opens a window of the browser. Its pages share a process: starting one for each takes longer than the checks. */
async function openWindow(browser: Browser, view: View) {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  return { view, context };
}

/**
 * Checks routes in each window, one after the other, with empty cookies and storage.
 *
 * @returns a line for each problem, with the affected views unless all are
 */
async function checkPages(
  inspection: Inspection,
  windows: readonly Awaited<ReturnType<typeof openWindow>>[],
  routes: readonly ReleaseRoute[],
): Promise<readonly string[]> {
  const found: { readonly page: string; readonly problem: string; readonly view: string }[] = [];
  const checkIn = async ({ view, context }: (typeof windows)[number]) => {
    for (const route of routes) {
      const page = context.pages()[0] ?? (await context.newPage());
      await context.clearCookies();
      const problems = new Set(await checkPage(page, inspection, route, view));
      for (const problem of problems) found.push({ page: route.path, problem, view: view.name });
      // A page with problems may hang.
      await (problems.size > 0 ? page.close() : leavePage(page));
    }
  };
  await Promise.all(windows.map(checkIn));
  const ofPages = routes.flatMap(({ path: page }) => found.filter((each) => each.page === page));
  return [...Map.groupBy(ofPages, ({ page, problem }) => `${page}: ${problem}`)].map(([line, where]) =>
    where.length === views.length ? line : `${line} (${where.map(({ view }) => view).join(', ')})`,
  );
}

/**
 * Checks pages of a build in a real browser, inside a private shell: those that differ from the published release.
 * The others consist of the same bytes as what visitors have, which was checked when it was released.
 *
 * @param changed paths of the pages that differ from the published release; if none does, all pages are checked
 * @returns the number of checked pages, for people
 * @throws CommandError with each failing page and its problems
 */
export async function checkInBrowser(
  started: AsyncDisposableStack,
  build: ReleaseBuild,
  changed: ReadonlySet<string>,
): Promise<string> {
  const { name, routes } = build.release;
  const differing = routes.filter((route) => changed.has(route.path));
  const checked = differing.length > 0 ? differing : routes;
  const [browser, url] = await Promise.all([launchBrowser(started), startPrivateShell(started, build)]);
  const inspection = { url, build, examples: examplesOf(name) };
  const windows = await Promise.all(views.map((view) => openWindow(browser, view)));
  const problems = await checkPages(inspection, windows, checked);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const pages = (count: number) => `${count} ${count === 1 ? 'page' : 'pages'}`;
  return checked.length < routes.length
    ? `${pages(checked.length)} of ${routes.length}; the others are what visitors have`
    : pages(checked.length);
}
