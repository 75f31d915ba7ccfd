import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

/** The rules that every page is held to; axe's own choice leaves out the target size. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules of them that depend on colors. */
export const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page as it is now: a line for each rule that is broken, with the elements that break it.
 *
 * @param rules those to check; all that every page is held to where left out
 */
export async function accessibilityFindings(page: Page, rules?: string[]): Promise<readonly string[]> {
  // In the page itself: otherwise axe is run a second time, in an empty page, to sum up frames, of which no page has any.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  const { violations } = await (rules ? axe.withRules(rules) : axe.withTags(tags)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** By how many pixels the page is wider than the window; 0 or less where it does not scroll sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Elements that stick out of the page, and boxes that what is in them sticks out of; what is meant to scroll by itself
 * does not count. The page ends where the room of the scroll bar begins, also where the bar itself is hidden.
 */
export function sticksOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { right } = document.body.getBoundingClientRect();
    const isBox = (element: Element) =>
      element.clientWidth > 1 && getComputedStyle(element).display !== 'inline' && !element.matches('input, textarea');
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && !element.closest('[data-scrolls], svg, [aria-hidden="true"]'))
      .filter(
        (element) =>
          element.getBoundingClientRect().right > right + 1 ||
          (isBox(element) && element.scrollWidth > element.clientWidth + 1),
      )
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}: ${element.textContent?.slice(0, 40)}`);
  });
}

/** Keeps a page from prefetching others, as for a visitor who saves data; runs in the page. */
export function saveData(): void {
  const connection = (navigator as Navigator & { readonly connection?: object }).connection;
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}
