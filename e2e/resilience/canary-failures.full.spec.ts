import { brokenVariantOf, readBuiltRelease } from '@daybook/runner/releases';
import { startOwnSite } from '../support/own-site.ts';
import { expect, test } from '../support/test.ts';

const next = '9.0.0-0000000c';

test('failures of a canary stand beside those of the active release, until an operator ends it', async ({
  browser,
  page,
  started,
}) => {
  // Seven browsers in sequence.
  test.slow();
  const site = await startOwnSite(started);
  const built = readBuiltRelease('mf-legal');
  const { address } = site;
  const active = built.release.version;
  const served = () => site.versionOf('mf-legal', { Cookie: 'bucket=0' });
  await page.setExtraHTTPHeaders({ Authorization: `Bearer ${site.operatorToken}` });
  /** Returns version, status, visitors, views and failures of canary and active release, as the operator sees them. */
  const comparison = async () => {
    await page.goto(`${address}/_releases`);
    const rows = await page.getByRole('table', { name: 'mf-legal' }).locator('tbody tr').all();
    const cellsOf = async (row: (typeof rows)[number]) => [
      ...(await row.locator('th > :is(code, .tag)').allInnerTexts()),
      ...(await row.locator(':is([data-label=Visitors], [data-label=Views], [data-label=Failures])').allInnerTexts()),
    ];
    const texts = await Promise.all(rows.map(cellsOf));
    return texts.map((cells) => cells.map((text) => text.replaceAll('\u00a0', ' ').trim()));
  };

  await site.push(brokenVariantOf(built, next), '?percent=10');
  await expect.poll(served).toBe(next);

  // Visitors with a network of their own do something, which loads the scripts: four get the canary, three do not.
  for (const visitor of [1, 2, 3, 4, 5, 6, 7]) {
    const bucket = visitor <= 4 ? '0' : '99';
    const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': `198.18.0.${visitor}` } });
    await context.addCookies([{ name: 'bucket', value: bucket, url: address }]);
    const opened = await context.newPage();
    await opened.goto(`${address}/terms`);
    const reported = bucket === '0' && opened.waitForResponse('**/_reports');
    await opened.keyboard.press('Shift');
    await reported;
    await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();
    await context.close();
  }
  await expect.poll(comparison).toEqual([
    [next, 'Canary', '10 %', '4', '4 (100.0 %)'],
    [active, 'Active', '90 %', '3', '0'],
  ]);
  expect(await served()).toBe(next);
  await site.deploy('mf-legal', { action: 'end' });
  await expect.poll(served).toBe(active);
});
