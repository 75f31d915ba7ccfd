import path from 'node:path';
import { expect, test } from '@daybook/testing/browser-test';
import { root } from '@daybook/testing/workspaces';
import { causedByPageStates, pageStates } from '../pages/page-states.ts';

test.use({ ...causedByPageStates, contextOptions: { reducedMotion: 'reduce' } });

const fileNameOf = (name: string) => name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-|-$/g, '');

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
])
  for (const colorScheme of ['light', 'dark'] as const)
    for (const { name, path: url, arrive } of pageStates)
      test(`${name}, ${viewport.width} px, ${colorScheme}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.goto(url);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await arrive?.(page);
        const file = `${fileNameOf(name)}-${viewport.width}-${colorScheme}.png`;
        await page.screenshot({ path: path.join(root, 'screenshots', file), fullPage: true });
      });
