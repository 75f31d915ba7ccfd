/**
 * Opens an address in a new tab, and tells whether the browser let it. Best called within the click that
 * asks for it: browsers let one click open one tab and hold back the others, and mostly hold back what a timer opens.
 *
 * The tab starts blank and is cut off from this page by hand, since `noopener` makes `window.open` give `null`
 * always, so that a tab that was held back could not be told from one that opened.
 */
export function openInNewTab(address: string): boolean {
  const tab = window.open('about:blank', '_blank');
  if (tab === null || tab.closed) return false;
  tab.opener = null;
  tab.location.replace(address);
  return true;
}
