import type { Release } from '@daybook/contract/release';
import { type ReleaseVariant, readBuiltRelease, variantOf } from '@daybook/testing/releases';
import { FaultySite, versionNumber } from '../support/faulty-site.ts';
import { test as base, expect } from '../support/test.ts';

const remote = 'mf-legal';

interface Offered {
  readonly address: string;
  /** Offers a release and waits until it is active. */
  offer(edit: (variant: ReleaseVariant) => ReleaseVariant): Promise<void>;
  notComposed(): Promise<number>;
  failures(kind: string): Promise<number>;
  activeVersion(): Promise<string | undefined>;
}

const version = versionNumber(1);

/** A separate site; each test determines the release at the origin of mf-legal. */
const test = base.extend<{ site: Offered }>({
  site: async ({ started }, use) => {
    const site = new FaultySite({ of: [remote] });
    started.defer(() => site.stop());
    await site.start();
    await use({
      address: site.address,
      async offer(edit) {
        site.origin(remote).offer(edit(readBuiltRelease(remote)));
        await site.untilActive(remote, version);
      },
      notComposed: () => site.metric('daybook_release_problems_total', { remote, reason: 'not-composed' }),
      failures: (kind) => site.metric('daybook_remote_failures_total', { remote, version, kind }),
      activeVersion: () => site.activeVersion(remote),
    });
  },
});

/** Returns the release with an edited fragment of its terms. */
const withFragment = (edit: (html: string) => string) => (built: ReleaseVariant) =>
  variantOf(built, version, (content, file) => (file.startsWith('fragments/terms.') ? edit(content) : content));

function withoutFragments(built: ReleaseVariant): ReleaseVariant {
  const { release, files } = variantOf(built, version);
  const routes = release.routes.map(({ fragment: _, ...route }): Release['routes'][number] => route);
  return { release: { ...release, routes }, files };
}

test('a release without fragments is rendered in the browser and counted', async ({
  page,
  request,
  site,
  consoleLines,
}) => {
  await site.offer(withoutFragments);
  expect(await (await request.get(`${site.address}/terms`)).text()).toContain('<div id="daybook-page"></div>');
  await page.goto(`${site.address}/terms`);
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  await expect(page.locator('[data-remote]')).toHaveAttribute('data-remote', `${remote}@${version}`);
  await expect.poll(() => consoleLines).toEqual(['/terms']);
  expect(await site.notComposed()).toBe(1);
});

test.describe('a fragment that differs from the page of the release', () => {
  // React's report that it has re-rendered the page.
  test.use({ expectedMessages: [/Minified React error #418/] });

  test('is replaced by rendering in the browser and counted, and the release stays active', async ({ page, site }) => {
    await site.offer(withFragment((html) => html.replace('Terms of Service', 'Terms of last week')));
    await page.goto(`${site.address}/terms`);
    await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
    await expect.poll(() => site.failures('hydration')).toBe(1);
    expect(await site.activeVersion()).toBe(version);
    expect(await site.failures('render')).toBe(0);
  });
});
