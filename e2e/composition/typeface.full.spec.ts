import type { Page } from '@playwright/test';
import { layoutShift, recordShifts } from '../support/layout-shifts.ts';
import { expect, test } from '../support/test.ts';

/** Returns for each font that shows the page's heading whether it is one of the site's, not of the system. */
async function headingFonts(page: Page): Promise<readonly boolean[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ isCustomFont }) => isCustomFont);
}

for (const url of ['/', '/terms'])
  test(`a new visitor sees the heading of ${url} in the brand's typeface at once`, async ({ page }) => {
    await recordShifts(page);
    await page.goto(url);
    // A font that is late for the first paint is not used later either (`font-display: optional`).
    expect(await headingFonts(page)).toEqual([true]);
    expect(await layoutShift(page)).toEqual([]);
  });

test("the brand's typeface has every character of English headings", async ({ page }) => {
  await page.goto('/');
  await page.locator('h1').evaluate((heading) => {
    const basicLatin = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
    heading.textContent = `${basicLatin}\u00a0‘’“”–—…£€é`;
  });
  expect(await headingFonts(page)).toEqual([true]);
});
