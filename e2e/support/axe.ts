import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What every page is held to; axe's own choice leaves out the target size. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds on the page as it is now: a line for each rule that is broken, with the elements that break it. */
export async function accessibilityFindings(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
