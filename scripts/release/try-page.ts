import type { Release } from '@daybook/contract';
import { accessibilityFindings, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import type { Browser, Page } from 'playwright';
import { watchPage } from './page-complaints.ts';

/** A page that is not shown after this many ms is broken. */
const showLimit = 15_000;

/** A window 320 px wide is what WCAG 1.4.10 asks for. */
const narrowest = { width: 320, height: 800 };

const sizes = [
  { size: 'desktop', viewport: { width: 1280, height: 800 } },
  { size: 'phone', viewport: { width: 390, height: 844 } },
] as const;

const views = sizes.flatMap(({ size, viewport }) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ name: `${size} ${colorScheme}`, size, viewport, colorScheme })),
);

/** Waits for the release's page or for what the shell shows in its place; says what is wrong. */
async function waitUntilShown(page: Page, { name, version }: Release): Promise<readonly string[]> {
  const shown = page.locator(`[data-remote="${name}@${version}"]`).getByRole('heading').first();
  const failed = page.locator('[data-failed-remote]').first();
  try {
    // What the server composed is there before the page's own code has run.
    await page.locator('#root[data-ready]').waitFor({ state: 'attached', timeout: showLimit });
    await shown.or(failed).first().waitFor({ timeout: showLimit });
  } catch {
    return [`no heading of ${name}@${version} is shown within ${showLimit / 1000} s`];
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

async function tryView(browser: Browser, address: string, release: Release, view: (typeof views)[number]) {
  const { viewport, colorScheme } = view;
  // A browser of its own each time: nothing is cached or stored from the view before.
  const context = await browser.newContext({ viewport, colorScheme });
  try {
    const page = await context.newPage();
    const complaints = watchPage(page);
    await page.goto(address);
    const notShown = await waitUntilShown(page, release);
    if (notShown.length > 0) return [...notShown, ...complaints()];
    await page.evaluate(() => document.fonts.ready);
    const findings = (await accessibilityFindings(page)).map((finding) => `axe: ${finding}`);
    const narrow = view.size === 'phone' ? await narrowProblems(page) : [];
    return [...findings, ...narrow, ...complaints()];
  } finally {
    await context.close();
  }
}

/**
 * Opens one page of a release on a desktop and a phone, light and dark, and looks for what no good page has.
 *
 * @param address of the page
 * @returns what was found, each with the views that it was found in; empty for a good page
 */
export async function tryPage(browser: Browser, address: string, release: Release): Promise<readonly string[]> {
  const found = new Map<string, string[]>();
  for (const view of views) {
    for (const problem of new Set(await tryView(browser, address, release, view))) {
      found.set(problem, [...(found.get(problem) ?? []), view.name]);
    }
  }
  return [...found].map(([problem, names]) =>
    names.length === views.length ? problem : `${problem} (${names.join(', ')})`,
  );
}
