import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { saveData } from '@daybook/testing/page-checks';
import { stopChild } from '@daybook/testing/processes';
import { copyRelease, writeNextRelease } from '@daybook/testing/releases';
import { startShellServer, untilMirrored } from '@daybook/testing/site';
import { buildFolder, remoteOrigins } from '@daybook/testing/workspaces';
import { test as base, expect } from '../support/test.ts';

const operatorToken = 'operator-token-of-the-tests';
const metricsToken = 'metrics-token-of-the-tests';
const next = '9.0.0-0000000c';

interface CanarySite {
  readonly address: string;
  /** Returns the version of mf-legal that visitors of the canary get. */
  served(): Promise<string>;
  /** Returns the number of counted failures of the canary. */
  failures(): Promise<number>;
}

/** A separate shell server with a canary of mf-legal for 10 % of visitors, whose entry throws. */
const test = base.extend<{ site: CanarySite }>({
  site: async ({ request }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'daybook-canary-'));
    const legal = path.join(folder, 'origin');
    const version = copyRelease('mf-legal', legal);
    const { address, child } = await startShellServer(
      {
        releasesFolder: path.join(folder, 'releases'),
        releasesInterval: 0.2,
        operatorToken,
        metricsToken,
        shellVariables: { TRUSTED_PROXIES: '1' },
        remotes: remoteOrigins((remote) => (remote === 'mf-legal' ? legal : buildFolder(remote))),
      },
      process.env.BACKEND_ADDRESS ?? '',
    );
    await untilMirrored(address);
    const headers = { Authorization: `Bearer ${operatorToken}` };
    const change = (fields: Record<string, string>) =>
      request.post(`${address}/_releases`, { headers, form: { remote: 'mf-legal', ...fields }, maxRedirects: 0 });
    const served = async () => {
      const { remotes } = await (
        await request.get(`${address}/registry.json`, { headers: { Cookie: 'bucket=0' } })
      ).json();
      return remotes.find(({ name }: { name: string }) => name === 'mf-legal')?.version;
    };
    const failures = async () => {
      const readOnly = { Authorization: `Bearer ${metricsToken}` };
      const metrics = await (await request.get(`${address}/metrics`, { headers: readOnly })).text();
      return Number(
        new RegExp(`^daybook_remote_failures_total.*"${next}",kind="load"} (\\d+)`, 'm').exec(metrics)?.[1],
      );
    };
    await change({ change: 'pin', version });
    writeNextRelease(legal, next, true);
    await expect
      .poll(async () => (await change({ change: 'canary', version: next, percent: '10', auto: 'on' })).status())
      .toBe(303);
    expect(await served()).toBe(next);
    await use({ address, served, failures });
    await stopChild(child);
    rmSync(folder, { recursive: true, force: true });
  },
});

test('a canary that fails to load is rolled back after reports from seven networks', async ({ browser, site }) => {
  // Seven browsers in sequence.
  test.slow();
  for (let visitor = 1; visitor <= 7; visitor += 1) {
    expect(await site.served()).toBe(next);
    const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': `198.18.0.${visitor}` } });
    await context.addCookies([{ name: 'bucket', value: '0', url: site.address }]);
    const page = await context.newPage();
    // Half of them open the page directly, half navigate within the site.
    await page.goto(`${site.address}${visitor % 2 === 0 ? '/terms' : '/'}`);
    if (visitor % 2 === 1)
      await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).press('Enter');
    // The terms are a text page: its scripts load when the visitor does something.
    else await page.keyboard.press('Shift');
    await expect.poll(site.failures).toBe(visitor);
    await context.close();
  }
  await expect.poll(() => site.served()).not.toBe(next);
});

test('a cached page gets a new nonce for its reports', async ({ page, site }) => {
  const nonceOfPage = () =>
    page.evaluate(() => {
      const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return document?.serverTiming.find(({ name }) => name === 'report-nonce')?.description;
    });
  await page.context().addCookies([{ name: 'bucket', value: '99', url: site.address }]);
  // Without prefetches, which the end of the test would abort.
  await page.addInitScript(saveData);
  await page.goto(`${site.address}/terms`);
  const first = await nonceOfPage();
  expect(first).toMatch(/^[\w-]+\.[\w-]+$/);
  const [response] = await Promise.all([page.waitForResponse(`${site.address}/terms`), page.reload()]);
  expect(response.headers()['server-timing']).toContain('report-nonce');
  expect(await nonceOfPage()).toMatch(/^[\w-]+\.[\w-]+$/);
  expect(await nonceOfPage()).not.toBe(first);
});
