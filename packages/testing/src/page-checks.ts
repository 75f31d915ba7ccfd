import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright';

/** Tags of the rules for every page. Explicit, since axe's default omits the target size. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export const colorRules = ['color-contrast', 'link-in-text-block'];

const quote = (text: string) => (text.length > 80 ? `${text.slice(0, 80)} …` : text);

/** Returns an element as its author would find it: its start tag without generated class names, and its text. */
function elementText(html: string): string {
  const [tag = html] = /^<[^>]*>/.exec(html) ?? [];
  const text = html.replaceAll(/(?:<[^>]*>|\s)+/g, ' ').trim();
  return `${quote(tag.replaceAll(/ (?:class|data-[\w-]+)="[^"]*"/g, ''))}${text ? ` “${quote(text)}”` : ''}`;
}

/** Returns a violation in one line: the elements, what is wrong with them, and the rule's name. */
function violationText({ id, help, nodes }: Result): string {
  const elements = nodes.map(({ html, any }) => {
    const { contrastRatio, expectedContrastRatio } = Object(any[0]?.data);
    const element = elementText(html);
    return contrastRatio === undefined
      ? element
      : `${element} has contrast ${contrastRatio}:1; ${expectedContrastRatio} is needed`;
  });
  const list = [...new Set(elements)].join(', ');
  return id === 'color-contrast' ? `${list} (${id})` : `${list}: ${help} (${id})`;
}

/** Waits until a page is hydrated; presses a key first, because text pages wait for the visitor to do something. */
export async function untilHydrated(page: Page, timeout = 0): Promise<void> {
  await page.keyboard.press('Shift');
  await page.locator('#daybook-page[data-ready]').waitFor({ state: 'attached', timeout });
}

/** Runs axe on the page's current state; returns a line for each violated rule, with the elements. */
export async function accessibilityFindings(page: Page, rules?: string[]): Promise<readonly string[]> {
  // Once per page: this takes as long as a run.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    runOnly: rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags },
    resultTypes: ['violations'],
  };
  const violations = await page.evaluate(
    async (each) => (await (window as unknown as { axe: typeof axe }).axe.run(each)).violations,
    options,
  );
  return violations.map(violationText);
}

/** Returns by how many pixels the page is wider than the window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Returns elements that overflow the page, and boxes that their content overflows; ignores scroll containers. */
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

/** Disables prefetching, as for a visitor with data saver on; runs in the page. */
export function saveData(): void {
  const connection = (navigator as Navigator & { readonly connection?: object }).connection;
  if (connection) Object.defineProperty(connection, 'saveData', { value: true });
}
