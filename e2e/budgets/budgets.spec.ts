import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compareWithBudget, weights } from '@daybook/testing/budgets';
import { builtRelease, siteRoutes } from '@daybook/testing/routes';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '../support/test.ts';
import { weighPage } from './page-weight.ts';

const budgetOf = (workspace: string): unknown =>
  JSON.parse(readFileSync(path.join(root, workspace, 'package.json'), 'utf8')).budget;

/** Per page: bytes of its HTML, bytes of the shell's scripts and styles, and number of requests. */
interface ShellBudget {
  readonly document: number;
  readonly files: number;
  readonly requests: number;
}

for (const remote of remotes) {
  test(`${remote} stays within its budget`, () => {
    const { rows, problems } = compareWithBudget(builtRelease(remote), budgetOf(remote), `${remote}/package.json`);
    expect(problems).toEqual([]);
    expect(rows.length).toBeGreaterThan(1);
  });
}

test.describe('each page stays within the budget of the shell and the weight in the release.json of its remote', () => {
  const budget = budgetOf('shell') as ShellBudget;
  const where = 'in "budget" of shell/package.json';

  for (const { remote, path: pagePath, address } of siteRoutes()) {
    test(pagePath, async ({ page }) => {
      const weight = await weighPage(page, address);
      const stated = weights(builtRelease(remote));
      expect.soft(weight.document, `bytes of HTML; "document" ${where}`).toBeLessThanOrEqual(budget.document);
      expect.soft(weight.shell, `bytes of the shell's files; "files" ${where}`).toBeLessThanOrEqual(budget.files);
      expect.soft(weight.requests, `requests; "requests" ${where}`).toBeLessThanOrEqual(budget.requests);
      expect
        .soft(weight.remote, `bytes of ${remote}'s files; release.json states fewer`)
        .toBeLessThanOrEqual((stated.get('entry') ?? 0) + (stated.get(pagePath) ?? 0));
    });
  }
});
