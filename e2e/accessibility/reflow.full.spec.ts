import { sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import { causedByPageStates, pageStates, tagsOf } from '../support/page-states.ts';
import { expect, test } from '../support/test.ts';

const cases = [
  { width: 320, textSize: '100%' },
  { width: 320, textSize: '200%' },
  { width: 1280, textSize: '200%' },
  { width: 1920, textSize: '100%' },
] as const;

// The corners of a rotating spinner overflow its box temporarily.
test.use({ ...causedByPageStates, contextOptions: { reducedMotion: 'reduce' } });

for (const state of pageStates) {
  test(`nothing is clipped or scrolls sideways on ${state.name}`, { tag: tagsOf(state) }, async ({ page }) => {
    await page.goto(state.path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await state.arrive?.(page);
    for (const { width, textSize } of cases) {
      const description = `${width} px wide with text at ${textSize}`;
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
      expect(await sidewaysScroll(page), description).toBeLessThanOrEqual(0);
      expect(await sticksOut(page), description).toEqual([]);
    }
  });
}
