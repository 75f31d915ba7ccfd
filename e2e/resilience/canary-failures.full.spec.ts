import { writeNextRelease } from '@daybook/testing/releases';
import { operatorToken, startLegalSite } from '../support/legal-site.ts';
import { test as base, expect } from '../support/test.ts';

const metricsToken = 'metrics-token-of-the-tests';
const next = '9.0.0-0000000c';

interface CanarySite {
  readonly address: string;
  /** The active version of mf-legal. */
  readonly active: string;
  /** Returns the version of mf-legal that visitors of the canary get. */
  served(): Promise<string | undefined>;
  /** Returns the number of counted failures of the canary. */
  failures(): Promise<number>;
  /** Returns the rows of the operator's comparison of canary and active release. */
  comparison(): Promise<readonly (readonly string[])[]>;
  rollBack(): Promise<unknown>;
}

/** A site with a canary of mf-legal for 10 % of visitors, whose entry throws. */
const test = base.extend<{ site: CanarySite }>({
  site: async ({ request, page, started }, use) => {
    const site = await startLegalSite(started, { metricsToken, shellVariables: { TRUSTED_PROXIES: '1' } });
    const { address, origin, first: active } = site;
    const headers = { Authorization: `Bearer ${operatorToken}` };
    const change = (fields: Record<string, string>) =>
      request.post(`${address}/_releases`, { headers, form: { remote: 'mf-legal', ...fields }, maxRedirects: 0 });
    const served = () => site.served({ Cookie: 'bucket=0' });
    const failures = async () => {
      const readOnly = { Authorization: `Bearer ${metricsToken}` };
      const metrics = await (await request.get(`${address}/metrics`, { headers: readOnly })).text();
      return Number(
        new RegExp(`^daybook_remote_failures_total.*"${next}",kind="load"} (\\d+)`, 'm').exec(metrics)?.[1],
      );
    };
    await change({ change: 'pin', version: active });
    writeNextRelease(origin, next, true);
    await expect
      .poll(async () => (await change({ change: 'canary', version: next, percent: '10' })).status())
      .toBe(303);
    expect(await served()).toBe(next);
    const comparison = async () => {
      await page.setExtraHTTPHeaders(headers);
      await page.goto(`${address}/_releases`);
      const rows = page.getByRole('table', { name: 'Since the canary started' }).locator('tbody tr');
      const texts = (await rows.allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '));
      return texts.map((text) => text.trim().split(/\s*[\t\n]\s*|(?<=\w) (?=Canary|Active)/));
    };
    await use({
      address,
      active,
      served,
      failures,
      comparison,
      rollBack: () => change({ change: 'rollback' }),
    });
  },
});

test('failures of a canary stand beside those of the active release, until an operator rolls it back', async ({
  browser,
  site,
}) => {
  // Seven browsers in sequence.
  test.slow();
  /** Opens the terms as a visitor with a network of their own, and does something, which loads the scripts. */
  async function visit(visitor: number, bucket: string): Promise<void> {
    const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': `198.18.0.${visitor}` } });
    await context.addCookies([{ name: 'bucket', value: bucket, url: site.address }]);
    const page = await context.newPage();
    await page.goto(`${site.address}/terms`);
    await page.keyboard.press('Shift');
    if (bucket === '0') await expect.poll(site.failures).toBe(visitor);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await context.close();
  }
  for (const visitor of [1, 2, 3, 4]) await visit(visitor, '0');
  for (const visitor of [5, 6, 7]) await visit(visitor, '99');
  expect(await site.comparison()).toEqual([
    [next, 'Canary', '10 %', '4', '4', '100.0 %'],
    [site.active, 'Active', '90 %', '3', '0', '0.0 %'],
  ]);
  expect(await site.served()).toBe(next);
  await site.rollBack();
  expect(await site.served()).toBe(site.active);
});
