import { subscribeButton } from '../support/signup-dialog.ts';
import { expect, test } from '../support/test.ts';

for (const [width, height, textSize] of [
  [390, 844, '100%'],
  [390, 844, '130%'],
  [1280, 800, '100%'],
] as const) {
  test(`the first screen of ${width} × ${height} px has the whole button with text at ${textSize}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
    await expect(subscribeButton(page)).toBeInViewport({ ratio: 1 });
    // Larger text leaves no room for it on a phone.
    if (textSize === '100%') await expect(page.getByRole('cell', { name: 'Stocks edge up' })).toBeInViewport();
  });
}
