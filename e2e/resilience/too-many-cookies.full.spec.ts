import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findNginx, startEdge } from '@daybook/testing/nginx';
import { expect, test } from '../support/test.ts';

test.use({ expectedStatuses: [431] });

test('cookies that are too large for the edge get a page that says what to do', async ({ page, started }) => {
  const nginx = findNginx();
  test.skip(!nginx, 'nginx is not installed.');
  const { path: folder } = started.use(mkdtempDisposableSync(path.join(tmpdir(), 'daybook-cookies-')));
  const { url } = await startEdge(nginx ?? '', started, folder, process.env.SITE_URL ?? '', {});
  const value = 'x'.repeat(3_900);
  await page.context().addCookies(Array.from({ length: 9 }, (_, each) => ({ name: `large${each}`, value, url })));
  expect((await page.goto(`${url}/terms`))?.status()).toBe(431);
  await expect(page.getByRole('heading', { level: 1, name: 'Your browser sends too much' })).toBeVisible();
  await expect(page.getByText('Please delete this site’s cookies')).toBeVisible();
});
