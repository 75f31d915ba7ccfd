import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareWithBudget, weights } from '@daybook/runner/budgets';
import { saveData } from '@daybook/runner/page-checks';
import { builtRelease } from '@daybook/runner/releases';
import { remotes, root } from '@daybook/runner/workspaces';
import { siteRoutes } from '@daybook/testing/routes';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

const budgetOf = (workspace: string): unknown =>
  JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8')).budget;

/** Per page: bytes of its HTML, bytes of the shell's scripts and styles, and number of requests. */
interface ShellBudget {
  readonly document: number;
  readonly files: number;
  readonly requests: number;
}

/**
 * Opens a page as a new visitor, with data saver on, so that nothing is prefetched.
 *
 * @returns transferred bytes without headers of the scripts and styles of the shell, and of the remote with its entry; and
 *   the number of requests, including fonts and pictures
 */
async function weighPage(page: Page, url: string) {
  await page.addInitScript(saveData);
  await page.goto(url);
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const weightOf = (folder: string) =>
      files
        .filter(({ name }) => new URL(name).pathname.startsWith(folder) && /\.(?:js|css)$/.test(name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { shell: weightOf('/assets/'), remote: weightOf('/remotes/'), requests: files.length + 1 };
  });
}

for (const remote of remotes) {
  test(`${remote} stays within its budget`, () => {
    const { rows, problems } = compareWithBudget(builtRelease(remote), budgetOf(remote), `${remote}/package.json`);
    expect(problems).toEqual([]);
    expect(rows.length).toBeGreaterThan(1);
  });
}

test('a part over its budget is named with the excess and the line to write', () => {
  const [problem] = compareWithBudget(builtRelease('mf-legal'), { entry: 1 }, 'mf-legal/package.json').problems;
  expect(problem).toMatch(
    /^mf-legal\/package\.json: entry weighs [\d,]+ bytes, [\d,]+ over its budget of 1\. .*"entry": \d+$/s,
  );
});

/** A page of each remote; the others load the same files of the shell. */
const corePaths = ['/', '/terms', '/unsubscribe', '/thank-you'];
const budget = budgetOf('shell') as ShellBudget;
const where = 'in "budget" of shell/package.json';

test('the HTML of every page stays within the budget of the shell', async ({ request }) => {
  for (const { path: pagePath, url } of siteRoutes()) {
    // The first visitors get the page quickly compressed.
    const bytes = async () => Number((await request.get(url)).headers()['content-length']);
    await expect
      .configure({ soft: true })
      .poll(bytes, `${pagePath}: bytes of HTML; "document" ${where}`)
      .toBeLessThanOrEqual(budget.document);
  }
});

for (const { remote, path: pagePath, url } of siteRoutes())
  test(`${pagePath} stays within the budget of the shell and the weight in the release.json of ${remote}`, {
    tag: corePaths.includes(pagePath) ? [] : '@full',
  }, async ({ page }) => {
    const weight = await weighPage(page, url);
    const stated = weights(builtRelease(remote));
    expect.soft(weight.shell, `bytes of the shell's files; "files" ${where}`).toBeLessThanOrEqual(budget.files);
    expect.soft(weight.requests, `requests; "requests" ${where}`).toBeLessThanOrEqual(budget.requests);
    expect
      .soft(weight.remote, `bytes of ${remote}'s files; release.json states fewer`)
      .toBeLessThanOrEqual((stated.get('entry') ?? 0) + (stated.get(pagePath) ?? 0));
  });
