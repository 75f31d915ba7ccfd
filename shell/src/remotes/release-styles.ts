import { releaseStyleAttribute } from '@daybook/contract/page';

type StyleElement = HTMLLinkElement | HTMLStyleElement;

/** Styles of remotes: those that their bundler runtimes add, and those of the page that the server composed. */
const ofRemotes = `link[rel~="stylesheet"][href*="/remotes/"]:not([disabled]), style[${releaseStyleAttribute}]`;

/** Matches the path of a release's file: name and version of the release. */
const inRelease = /^\/remotes\/([^/]+)\/([^/]+)\//;

/** Releases of the pages that are shown, `<remote>@<version>`; one twice while its next page replaces it. */
const shown: string[] = [];

function releaseOf(element: StyleElement): string | undefined {
  if (element instanceof HTMLStyleElement) return element.getAttribute(releaseStyleAttribute) ?? undefined;
  const [, name, version] = inRelease.exec(new URL(element.href, location.href).pathname) ?? [];
  return version === undefined ? undefined : `${name}@${version}`;
}

/**
 * Applies a style, or not, at once and without another download: a loaded sheet stays, and is only disabled. One that is
 * still loading has no sheet yet, and must not be applied when it arrives.
 */
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

/**
 * Applies the styles of a release until the returned function is called. Call it while the page is committed, before the
 * browser paints and before effects measure.
 */
export function showStyles(release: string): () => void {
  shown.push(release);
  updateAll();
  return () => {
    shown.splice(shown.indexOf(release), 1);
    updateAll();
  };
}

/**
 * Applies styles of a remote only while one of its pages is shown: others would change and hide what belongs to the
 * shell and to other teams. Must run before any remote is loaded.
 *
 * @param root the element that contains the page
 * @returns a function that must be called when React has rendered the site, which says from then on what is shown
 */
export function limitStyles(root: HTMLElement): () => void {
  const served = root.querySelector<HTMLElement>('[data-remote]')?.dataset.remote;
  const hide = served === undefined ? undefined : showStyles(served);
  try {
    // A microtask, before a new style can have loaded: the bundler runtimes of remotes add theirs to the head.
    new MutationObserver(updateAll).observe(document.head, { childList: true });
  } catch {
    // Extensions remove or replace the observers: styles apply from their arrival, and until their page is left.
  }
  return () => hide?.();
}
