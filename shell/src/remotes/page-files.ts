import { verifiedElement } from './integrity.ts';
import { withTimeout } from './load-timeout.ts';

/**
 * Downloads a file into the browser's cache, from which an element with the same integrity value loads it. Not `<link
 * rel="preload">`: browsers warn about each one that no element uses within seconds.
 *
 * @throws Error if the file is missing or does not match its integrity value
 */
export async function downloadFile(url: string, integrity: string): Promise<void> {
  const { ok, status } = await withTimeout(fetch(url, { integrity }));
  if (!ok) throw new Error(`${url} could not be loaded (status ${status}).`);
}

/**
 * Adds an element to the document's head; resolves when it has loaded its file.
 *
 * @throws Error if that fails; the element stays
 */
export async function addElement(element: HTMLScriptElement | HTMLLinkElement, url: string): Promise<void> {
  const loading = new Promise((resolve, reject) => {
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${url} could not be loaded.`));
  });
  document.head.append(element);
  await withTimeout(loading);
}

/**
 * Loads a page's chunk or style, which the remote's bundler runtime would request one after the other. Ignores a failure:
 * the runtime then loads the file itself, and reports what fails.
 */
export async function loadPageFile(url: string): Promise<void> {
  const isStyle = url.endsWith('.css');
  if (isStyle && document.querySelector(`link[rel="stylesheet"][href="${url}"]`)) return;
  const element = verifiedElement(
    isStyle ? Object.assign(document.createElement('link'), { rel: 'stylesheet' }) : document.createElement('script'),
    url,
  );
  await addElement(element, url).then(
    () => !isStyle && element.remove(),
    () => element.remove(),
  );
}
