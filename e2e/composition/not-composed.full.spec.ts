import { expect, test, untilReady } from '@daybook/testing/browser-test';
import { readBuiltRelease, variantOf } from '@daybook/testing/builds';
import { headingOf } from '@daybook/testing/built-pages';
import { startOwnSite, versionNumber } from '@daybook/testing/own-site';
import { remotes } from '@daybook/testing/workspaces';

const remote = 'mf-legal';

test.describe(() => {
  // React's report of it.
  test.use({ expectedMessages: [/Minified React error #418/] });

  test('a page whose HTML differs from its release is shown, and counted', async ({ page, started }) => {
    const site = await startOwnSite(started);
    const outdated = (html: string, file: string) =>
      file.startsWith('fragments/terms.') ? html.replace(headingOf('/terms'), 'Terms of last week') : html;
    const version = versionNumber(2);
    await site.publish(variantOf(readBuiltRelease(remote), version, outdated));
    await page.goto(`${site.url}/terms`);
    await expect(page.getByRole('heading', { level: 1, name: headingOf('/terms') })).toBeVisible();
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
