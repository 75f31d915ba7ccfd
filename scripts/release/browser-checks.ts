import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release, ReleaseRoute } from '@daybook/contract/release';
import type { ReleaseBuild } from '@daybook/releases';
import { CommandError } from '@daybook/server/command-line';
import { launchBrowser } from '@daybook/testing/browser';
import {
  accessibilityFindings,
  colorRules,
  sidewaysScroll,
  sticksOut,
  untilHydrated,
} from '@daybook/testing/page-checks';
import { stopChild } from '@daybook/testing/processes';
import { startShellServer } from '@daybook/testing/site';
import { buildFolder, examplesOf } from '@daybook/testing/workspaces';
import type { Browser, Page } from 'playwright';
import { build } from '../build.ts';
import { copyShell } from '../published-site.ts';
import { watchPage } from './page-errors.ts';

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

async function checkPage(
  page: Page,
  url: string,
  build: ReleaseBuild,
  { viewport, name }: View,
): Promise<readonly string[]> {
  const pageErrors = watchPage(page, build);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  await page.goto(url);
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

/** Leaves a page without reporting the requests that this aborts, and without a new process, as of `goto`. */
async function leavePage(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.evaluate(() => location.replace('about:blank'));
  await page.waitForURL('about:blank');
}

/** Checks routes in each view, with empty cookies and storage; returns a line for each problem. */
async function checkPages(browser: Browser, shell: string, build: ReleaseBuild, routes: readonly ReleaseRoute[]) {
  const examples = examplesOf(build.release.name);
  const found: { readonly page: string; readonly problem: string; readonly view: string }[] = [];
  const checkIn = async (view: View) => {
    // One window for all pages: a process for each takes longer than the checks.
    const context = await browser.newContext();
    await context.addInitScript(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    for (const route of routes) {
      const page = context.pages()[0] ?? (await context.newPage());
      await context.clearCookies();
      const url = shell + route.path + (examples[route.path] ?? '');
      const problems = new Set(await checkPage(page, url, build, view));
      for (const problem of problems) found.push({ page: route.path, problem, view: view.name });
      // A page with problems may hang.
      await (problems.size > 0 ? page.close() : leavePage(page));
    }
  };
  await Promise.all(views.map(checkIn));
  const ofPages = routes.flatMap(({ path: page }) => found.filter((each) => each.page === page));
  return [...Map.groupBy(ofPages, ({ page, problem }) => `${page}: ${problem}`)].map(([line, where]) =>
    where.length === views.length ? line : `${line} (${where.map(({ view }) => view).join(', ')})`,
  );
}

/** Starts a shell server whose only remote is the build, with the shell of a site or of this clone; returns its URL. */
async function startShell(
  started: AsyncDisposableStack,
  { folder, release: { name } }: Pick<ReleaseBuild, 'folder' | 'release'>,
  site: string | undefined,
): Promise<string> {
  const temporary = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-release-'))).path;
  const shellFolder = site ? path.join(temporary, 'shell') : buildFolder('shell');
  if (site) await copyShell(site, shellFolder);
  else await build(() => undefined, ['shell']);
  const { url, child } = await startShellServer({
    releasesFolder: path.join(temporary, 'releases'),
    shellFolder,
    development: true,
    developmentBuilds: { [name]: folder },
    shellVariables: { PUBLIC_URL: '', LOG_LEVEL: 'error' },
  });
  started.defer(() => stopChild(child));
  return url;
}

/**
 * Checks the pages of a build in a real browser, inside the site's shell; those that differ from the active release, or
 * all. Returns their number, for people.
 */
export async function checkInBrowser(
  started: AsyncDisposableStack,
  build: ReleaseBuild,
  site: string | undefined,
  active: Release | undefined,
): Promise<string> {
  const { routes } = build.release;
  const known = new Set(active?.routes.map(({ path: page, hash }) => `${page} ${hash}`));
  const changed = routes.filter(({ path: page, hash }) => !known.has(`${page} ${hash}`));
  const checked = changed.length > 0 ? changed : routes;
  const [browser, url] = await Promise.all([launchBrowser(started), startShell(started, build, site)]);
  const problems = await checkPages(browser, url, build, checked);
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
  const of = checked.length < routes.length ? ` of ${routes.length}` : '';
  return `${checked.length}${of} ${routes.length === 1 ? 'page' : 'pages'}`;
}
