import { findRoute, type RemoteIndex } from '@daybook/contract/release';
import { log } from '@daybook/platform/log';
import { StrictMode, startTransition } from 'react';
import { followLinkClicks } from '../navigation/links.ts';
import { limitStyles } from '../remotes/release-styles.ts';
import { sendReport } from '../remotes/report.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import type { Start } from '../router/site-router.tsx';
import { keepEarlyInput } from './early-input.ts';

/** Mark in the browser's performance timeline: the site is interactive. */
const readyMark = 'daybook:ready';

interface PreparedStart extends Start {
  /** Reports that hydration failed. */
  readonly reportMismatch?: () => void;
}

/** Loads the page for hydration; the server's HTML stays visible meanwhile. */
async function prepare(root: HTMLElement, index: RemoteIndex, remotes: SiteRemotes): Promise<PreparedStart> {
  const [name, version] = root.querySelector<HTMLElement>('[data-remote]')?.dataset.remote?.split('@') ?? [];
  const registered = findRoute(index, location.pathname);
  // A page of the shell itself.
  if (version === undefined && !registered) return { isHydrated: root.hasChildNodes() };
  // There is no HTML of the page, or the browser parses the URL differently than the server: the router decides.
  if (version === undefined || !registered || registered.remote.name !== name) return {};
  const result = await remotes
    .of(registered)
    .load(registered.route.path)
    .catch((error: unknown) => ({ error }));
  return {
    ...(result && { first: { path: registered.route.path, result } }),
    isHydrated: result !== undefined && 'version' in result && result.version === version,
    reportMismatch: () =>
      sendReport({ remote: registered.remote.name, version, route: registered.route.path, kind: 'hydration' }),
  };
}

/** Resolves in a separate task, so that the browser handles input first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel !== 'function') {
      setTimeout(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Evaluates React and the site in separate tasks, the longest of a page's start. */
async function runApp() {
  await nextTask();
  const react = await import(/* webpackMode: "eager" */ 'react-dom/client');
  await nextTask();
  const site = await import(/* webpackMode: "eager" */ '../router/site.tsx');
  const router = await import(/* webpackMode: "eager" */ '../router/site-router.tsx');
  await nextTask();
  return { ...react, ...site, ...router };
}

/**
 * Hydrates the server's HTML, or renders the page if there is none or its release cannot be loaded.
 *
 * @param root the element that contains the page
 */
export async function showFirstPage(root: HTMLElement, index: RemoteIndex, remotes: SiteRemotes): Promise<void> {
  const hideServedStyles = limitStyles(root);
  const [{ reportMismatch, ...start }, { createRoot, hydrateRoot, App, createSiteRouter }] = await Promise.all([
    prepare(root, index, remotes),
    runApp(),
  ]);
  // Not Promise.withResolvers: some in-app browsers lack it.
  let onReady = () => {};
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const router = createSiteRouter({ index, remotes, onReady, ...start });
  // From here on React handles errors and events.
  const restoreInput = keepEarlyInput(root);
  const app = (
    <StrictMode>
      <App router={router} onRendered={hideServedStyles} />
    </StrictMode>
  );
  let isReady = false;
  const onRecoverableError = (error: unknown) => {
    log('error', error);
    if (!isReady) reportMismatch?.();
  };
  // As a transition, React renders in slices and lets the browser respond in between.
  if (start.isHydrated) startTransition(() => void hydrateRoot(root, app, { onRecoverableError }));
  else createRoot(root).render(app);

  await ready;
  isReady = true;
  followLinkClicks(index);
  await restoreInput();
  root.dataset.ready = '';
  // Last, because it may throw: extensions against fingerprinting replace it.
  performance.mark(readyMark);
}
