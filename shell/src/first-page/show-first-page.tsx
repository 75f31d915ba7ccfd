import type { RegisteredRoute, Registry } from '@daybook/contract';
import { StrictMode, startTransition } from 'react';
import { sendReport } from '../remotes/report.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import type { Content } from '../router/content.tsx';
import { followLinkClicks } from '../router/link-clicks.ts';
import { type ComposedPage, readComposedPage } from './composed-page.ts';
import { takeEarlyInput } from './early-input.ts';
import { nextTask } from './next-task.ts';

/** In the browser's performance timeline: the site works, and hears what visitors do. */
const readyMark = 'daybook:ready';

/** Loads what the page is hydrated with; what is shown stays meanwhile. */
async function loadFirst(registered: RegisteredRoute, remotes: SiteRemotes): Promise<Content> {
  const request = { url: location.href, signal: new AbortController().signal };
  return remotes.load(registered, request).then(
    (loaded) => ({ kind: 'page', registered, loaded }),
    (error: unknown) => ({ kind: 'failed', registered, error }),
  );
}

/** The page as the site starts with it, and whether the server's HTML was made of the same release. */
interface Start {
  readonly first?: Content;
  readonly isHydrated: boolean;
  /** Tells the server that what the browser rendered was not what the server's HTML is. */
  readonly reportMismatch?: () => void;
}

async function prepare(composed: ComposedPage, remotes: SiteRemotes): Promise<Start> {
  if (composed.kind !== 'of a release') return { isHydrated: composed.kind === 'own' };
  const { registered, version } = composed;
  const { remote, route } = registered;
  const first = await loadFirst(registered, remotes);
  return {
    first,
    isHydrated: first.kind === 'page' && first.loaded.version === version,
    reportMismatch: () => sendReport({ remote: remote.name, version, route: route.path, kind: 'hydration' }),
  };
}

/** React and the site, which are in the first script and are run in tasks of their own, the longest of a page's start. */
async function runApp() {
  await nextTask();
  const react = await import(/* webpackMode: "eager" */ 'react-dom/client');
  await nextTask();
  const app = await import(/* webpackMode: "eager" */ '../app.tsx');
  const pages = await import(/* webpackMode: "eager" */ '../router/site-pages.ts');
  await nextTask();
  return { ...react, ...app, ...pages };
}

/**
 * Makes the document's first page work: hydrates the one that the server composed, or renders it where there is none,
 * or where the release that it was made of can't be had.
 *
 * @param root the element that holds the page
 */
export async function showFirstPage(root: HTMLElement, registry: Registry, remotes: SiteRemotes): Promise<void> {
  const composed = readComposedPage(root, registry, location.pathname);
  const [{ first, isHydrated, reportMismatch }, { createRoot, hydrateRoot, App, SitePages }] = await Promise.all([
    prepare(composed, remotes),
    runApp(),
  ]);
  const tellEarlyInput = takeEarlyInput(root);
  let ready = false;
  const onReady = () => {
    if (ready) return;
    ready = true;
    followLinkClicks(registry);
    // Not within React's own work, which would put off what each event changes: a form is sent with what was typed.
    queueMicrotask(async () => {
      await tellEarlyInput();
      performance.mark(readyMark);
      root.dataset.ready = '';
    });
  };
  const app = (
    <StrictMode>
      <App pages={new SitePages(registry, remotes)} first={first} onReady={onReady} />
    </StrictMode>
  );
  if (!isHydrated) {
    createRoot(root).render(app);
    return;
  }
  // As a transition, React renders in slices and lets the browser answer in between.
  startTransition(() => {
    hydrateRoot(root, app, {
      onRecoverableError(error) {
        console.error(error);
        if (!ready) reportMismatch?.();
      },
    });
  });
}
