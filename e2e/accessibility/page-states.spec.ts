import { expect, test } from '@daybook/testing/browser-test';
import { accessibilityFindings, colorRules, sidewaysScroll, sticksOut } from '@daybook/testing/page-checks';
import type { Page } from '@playwright/test';
import { causedByPageStates, pageStates } from '../pages/page-states.ts';

test.use(causedByPageStates);

const windows = [
  { width: 320, textSize: '100%' },
  { width: 320, textSize: '200%' },
  { width: 1280, textSize: '200%' },
  { width: 1920, textSize: '100%' },
] as const;

/** Beginnings of ids and classes that EasyList, Fanboy's and uBlock's Annoyances hide on every site. */
const hiddenByFilterLists =
  /^(?:newsletters?|nl|subscri\w*|sign-?up|mailing-list|email-(?:sign|sub|opt|popup|modal|widget)\w*|pop-?up|overlay|banner|promo\w*|advert\w*|ads?|cookie-(?:banner|notice|consent|bar|law)|gdpr|social|share)[-_]/i;

/** Parts of addresses that EasyList and EasyPrivacy block on every site. */
const blockedByFilterLists =
  /[/._-](?:ads?|adverts?|banners?|sponsored|popups?|analytics|track(?:er|ing)?|pixel|beacon|telemetry)[/._-]/i;

/** Returns the fields and buttons without a border, which is all that separates them from a page in forced colors. */
function controlsWithoutBorder(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const edges = ['border-top-width', 'border-right-width', 'border-bottom-width', 'border-left-width'];
    // Except the close buttons of toast and dialog: crosses in the color of text.
    const controls = 'input:not([type="checkbox"]), select, textarea, progress, button:not([aria-label])';
    return [...document.querySelectorAll(controls)]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const style = getComputedStyle(control);
        return edges.some((edge) => Number.parseFloat(style.getPropertyValue(edge)) < 1);
      })
      .map((control) => control.outerHTML.slice(0, 80));
  });
}

/** A page of each remote and of each frame, which `npm test` checks. */
const corePaths = ['/', '/continue-registration?id=7', '/terms', '/unsubscribe', '/accessible-view', '/no-such-page'];

for (const { name, path, arrive } of pageStates) {
  const tag = corePaths.includes(path) && !arrive ? [] : '@full';
  test(`${name} is accessible`, { tag }, async ({ page, baseURL }) => {
    const requested: string[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === baseURL) requested.push(pathname);
    });
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await arrive?.(page);

    await test.step('content blockers hide and block nothing', async () => {
      const names = await page.evaluate(() =>
        [...document.querySelectorAll('[id], [class]')].flatMap(({ id, classList }) => [id, ...classList]),
      );
      expect(names.filter((name) => hiddenByFilterLists.test(name))).toEqual([]);
      expect(requested.length).toBeGreaterThan(0);
      expect(requested.filter((each) => blockedByFilterLists.test(each))).toEqual([]);
    });

    await test.step('axe reports no violations, in light and dark', async () => {
      expect(await accessibilityFindings(page)).toEqual([]);
      // Only colors differ between the schemes.
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
      expect(await accessibilityFindings(page, colorRules)).toEqual([]);
    });

    await test.step('every field and button has a border in forced colors', async () => {
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await controlsWithoutBorder(page)).toEqual([]);
      await page.emulateMedia({ forcedColors: 'none' });
    });

    await test.step('nothing is clipped or scrolls sideways', async () => {
      for (const { width, textSize } of windows) {
        const description = `${width} px wide with text at ${textSize}`;
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), textSize);
        expect(await sidewaysScroll(page), description).toBeLessThanOrEqual(0);
        expect(await sticksOut(page), description).toEqual([]);
      }
    });
  });
}
