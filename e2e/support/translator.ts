import type { Page } from '@playwright/test';

/** The marks around each translated text; locators that find a part of a text find it translated as well. */
export const translated = (text: string) => `«${text}»`;

/**
 * Runs in the page. Replaces each text like a browser's translator: by a translation in two nested `font` elements. The
 * text node that React rendered is no longer in the document.
 *
 * @param mode `once` for the texts of now; `continuously` also for those that are added or changed later
 */
function translateTexts(mode: 'once' | 'continuously'): void {
  const ignored = 'script, style, noscript, textarea, svg, head, [translate="no"]';
  const font = (child: Node) => {
    const element = document.createElement('font');
    element.style.verticalAlign = 'inherit';
    element.append(child);
    return element;
  };
  const translateText = (text: Text) => {
    const parent = text.parentElement;
    if (!parent || parent.localName === 'font' || parent.closest(ignored) || !/\p{L}/u.test(text.data)) return;
    const [, before, words, after] = /^(\s*)(.*?)(\s*)$/s.exec(text.data) ?? [];
    text.replaceWith(font(font(document.createTextNode(`${before}«${words}»${after}`))));
  };
  const translateIn = (node: Node) => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = node instanceof Text ? [node] : [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) translateText(text);
  };
  translateIn(document);
  if (mode === 'once') return;
  new MutationObserver((mutations) => {
    for (const { type, target, addedNodes } of mutations)
      for (const node of type === 'characterData' ? [target] : addedNodes) if (node.isConnected) translateIn(node);
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

/** Translates the texts that the page shows now. */
export const translateOnce = (page: Page) => page.evaluate(translateTexts, 'once' as const);

/** Translates every document from its first text on, long before hydration. */
export async function translateFromTheStart(page: Page): Promise<void> {
  await page.addInitScript(translateTexts, 'continuously' as const);
}
