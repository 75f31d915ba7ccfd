import { saveData } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

/** Returns the remotes whose files a page requested. */
async function remotesLoadedBy(page: Page, path: string): Promise<readonly string[]> {
  const names = new Set<string>();
  page.on('request', (request) => {
    const [, name] = /\/remotes\/([^/]+)\//.exec(request.url()) ?? [];
    if (name) names.add(name);
  });
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  return [...names];
}

const owners = [
  ['/', 'mf-signup'],
  ['/terms', 'mf-legal'],
  ['/unsubscribe', 'mf-privacy'],
  ['/thank-you', 'mf-offers'],
] as const;

for (const [path, owner] of owners) {
  test(`${path} loads files of ${owner} and of no other remote`, async ({ page }) => {
    // Otherwise links that are visible for a second prefetch their pages.
    await page.addInitScript(saveData);
    expect(await remotesLoadedBy(page, path)).toEqual([owner]);
    await expect(page.locator('[data-remote]')).toHaveAttribute(
      'data-remote',
      new RegExp(`^${owner}@\\d+\\.\\d+\\.\\d+-[0-9a-f]{8}$`),
    );
  });
}

test('hovering a link prefetches its page, and the click then requests nothing', async ({ page }) => {
  await page.goto('/');
  const terms = page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' });
  const requested = new Set<string>();
  const arrived = new Set<string>();
  page.on('request', (request) => requested.add(request.url()));
  page.on('requestfinished', (request) => arrived.add(request.url()));
  await terms.hover();
  // Script and style of the page are requested together, after the entry.
  const isStyle = (url: string) => /\/remotes\/mf-legal\/.*\.css$/.test(url);
  await expect.poll(() => [...arrived].some(isStyle) && [...requested].every((url) => arrived.has(url))).toBe(true);
  const requests: string[] = [];
  page.on('request', (request) => {
    // After the navigation another link may be under the pointer.
    if (request.url().includes('/remotes/mf-legal/')) requests.push(request.url());
  });
  await terms.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
  expect(requests).toEqual([]);
});
