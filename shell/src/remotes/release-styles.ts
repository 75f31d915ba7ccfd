import { releaseStyleAttribute } from '@daybook/contract/page';

type StyleElement = HTMLLinkElement | HTMLStyleElement;

/** Styles of remotes: those that their bundler runtimes add, and those of the page that the server composed. */
const ofRemotes = `link[rel~="stylesheet"][href*="/remotes/"]:not([disabled]), style[${releaseStyleAttribute}]`;

/** Name and version of a release, in the path of its file. */
const inRelease = /^\/remotes\/([^/]+)\/([^/]+)\//;

/** Releases of the pages that are shown, `<remote>@<version>`; one twice while its next page replaces it. */
const shown: string[] = [];

function releaseOf(element: StyleElement): string | undefined {
  if (element instanceof HTMLStyleElement) return element.getAttribute(releaseStyleAttribute) ?? undefined;
  const [, name, version] = inRelease.exec(new URL(element.href, location.href).pathname) ?? [];
  return version === undefined ? undefined : `${name}@${version}`;
}

/** Applies a style or not. A style that is still loading has no sheet to disable yet, hence its media. */
function update(element: StyleElement): void {
  const release = releaseOf(element);
  if (release === undefined) return;
  const applies = shown.includes(release);
  if (element.sheet && element.media === '') element.sheet.disabled = !applies;
  else element.media = applies ? '' : 'not all';
}

function updateAll(): void {
  for (const element of document.querySelectorAll<StyleElement>(ofRemotes)) update(element);
}

/** Applies the styles of a release until the returned function is called. Call it in an insertion effect. */
export function showStyles(release: string): () => void {
  shown.push(release);
  updateAll();
  return () => {
    shown.splice(shown.indexOf(release), 1);
    updateAll();
  };
}

/**
 * Applies styles of a remote only while one of its pages is shown. Must run before any remote is loaded.
 *
 * @param root the element that contains the page
 * @returns ends the styles of the server's page; call it when React has rendered the site
 */
export function limitStyles(root: HTMLElement): () => void {
  const served = root.querySelector<HTMLElement>('[data-remote]')?.dataset.remote;
  const hide = served === undefined ? undefined : showStyles(served);
  try {
    // The bundler runtimes of remotes add their styles to the head.
    new MutationObserver(updateAll).observe(document.head, { childList: true });
  } catch {
    // Extensions remove or replace the observers: styles apply from their arrival, and until their page is left.
  }
  return () => hide?.();
}
