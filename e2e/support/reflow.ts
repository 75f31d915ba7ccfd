import type { Page } from '@playwright/test';

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
