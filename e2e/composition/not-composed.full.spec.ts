import type { Release } from '@daybook/contract/release';
import { readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { remotes } from '@daybook/testing/workspaces';
import { headingOf } from '../support/built-pages.ts';
import { startOwnSite, versionNumber } from '../support/own-site.ts';
import { expect, test, untilReady } from '../support/test.ts';

const remote = 'mf-legal';

test.describe('a page', () => {
  // React's report of it.
  test.use({ expectedMessages: [/Minified React error #418/] });

  test('without its fragment is rendered in the browser and counted', async ({ page, request, started }) => {
    const site = await startOwnSite(started);
    const url = `${site.url}/terms`;
    const heading = page.getByRole('heading', { level: 1, name: headingOf('/terms') });

    const built = readBuiltRelease(remote);
    const without = variantOf(built, versionNumber(1));
    const routes = without.release.routes.map(({ fragment: _, ...route }): Release['routes'][number] => route);
    await site.push({ ...without, release: { ...without.release, routes } });
    expect(await (await request.get(url)).text()).toContain('<div id="daybook-page"></div>');
    await page.goto(url);
    await expect(heading).toBeVisible();
    await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `${remote}@${versionNumber(1)}`);
    expect(await site.metric('daybook_release_problems_total', { remote, reason: 'not-composed' })).toBe(1);

    const outdated = (html: string, file: string) =>
      file.startsWith('fragments/terms.') ? html.replace(headingOf('/terms'), 'Terms of last week') : html;
    const version = versionNumber(2);
    await site.push(variantOf(built, version, outdated));
    await page.goto(url);
    await expect(heading).toBeVisible();
    const failures = (kind: string) => site.metric('daybook_remote_failures_total', { remote, version, kind });
    await expect.poll(() => failures('hydration')).toBe(1);
    expect(await site.versionOf(remote)).toBe(version);
    expect(await failures('render')).toBe(0);
  });
});

test.describe('a site without any release', () => {
  test.use({ expectedStatuses: [503] });

  test('names all remotes in a page that the browser takes over as it is', async ({ page, started }) => {
    const site = await startOwnSite(started, { isEmpty: true });
    await page.goto(site.url);
    await untilReady(page);
    await expect(page.getByRole('alert').getByText(remotes.join(', '), { exact: true })).toBeVisible();
  });
});
