import { expect, test } from '@daybook/testing/browser-test';
import { sectionsOf } from '@daybook/testing/built-pages';
import { Load } from '@daybook/testing/load';
import { type OwnSite, startOwnSite } from '@daybook/testing/own-site';
import { saveData } from '@daybook/testing/page-checks';
import { buildParts, copyRepository } from '@daybook/testing/repository-copy';
import type { Page } from '@playwright/test';

/** Opens a page repeatedly as new visitors; `stop` ends it and returns what failed. */
function visitRepeatedly(page: Page, url: string) {
  const failures: string[] = [];
  const headings = new Set<string>();
  let stopped = false;
  page.on('requestfailed', (request) => failures.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.url()}: ${response.status()}`);
  });
  page.on('pageerror', (error) => failures.push(String(error)));
  const visit = async () => {
    // Leaving a page aborts its prefetches, which is not a failure.
    await page.addInitScript(saveData);
    while (!stopped) {
      await page.goto(url);
      const shown = page.locator('[data-remote]').getByRole('heading');
      await shown.first().waitFor();
      for (const heading of await shown.allTextContents()) headings.add(heading);
      // So that the next visit does not abort late requests.
      await page.waitForLoadState('networkidle');
    }
  };
  const done = visit();
  const stop = async () => {
    stopped = true;
    await done;
    return failures;
  };
  return { headings, stop };
}

/** Returns what visitors get of all other remotes, with the hashes of their files. */
const othersThan = async (site: OwnSite, changing: string) =>
  (await site.remoteIndex()).remotes.filter(({ name }) => name !== changing);

/** A busy machine takes long for a visit. */
const longer = { timeout: 60_000 };
const remote = 'mf-legal';
const pagePath = '/terms';
const from = sectionsOf(pagePath)[0]?.heading ?? '';
const to = `${from} from now on`;

test('a remote is released and rolled back under load without a failed request', async ({ page, started }) => {
  const site = await startOwnSite(started);
  const before = await othersThan(site, remote);
  const copy = copyRepository([...buildParts, remote]);
  copy.edit(`${remote}/content/terms.md`, (text) => text.replace(from, to));
  const changed = await copy.build(remote).finally(copy.remove);
  expect(changed.release.version).not.toBe(await site.versionOf(remote));

  const plain = new Load(site.url, ['/', pagePath, '/cookie-policy', '/unsubscribe', '/thank-you']);
  const visitors = visitRepeatedly(page, site.url + pagePath);
  await expect.poll(() => visitors.headings.has(from), longer).toBe(true);

  await site.publish(changed);
  await expect.poll(() => visitors.headings.has(to), longer).toBe(true);

  await site.change({ action: 'rollback', remote, why: 'the wording' });
  await expect.poll(() => site.versionOf(remote)).not.toBe(changed.release.version);
  await expect
    .poll(() => {
      const seen = [...visitors.headings];
      visitors.headings.clear();
      return seen.includes(from) && !seen.includes(to);
    }, longer)
    .toBe(true);

  expect(await visitors.stop()).toEqual([]);
  await plain.stop();
  expect(plain.failures).toEqual([]);
  expect(plain.requests).toBeGreaterThan(20);
  expect(await othersThan(site, remote)).toEqual(before);
});
