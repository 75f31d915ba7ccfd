import {
  type EarlyEvents,
  earlyEventsName,
  findRoute,
  type RegisteredRoute,
  type Registry,
  type TakeEarlyEvents,
} from '@daybook/contract';
import { StrictMode, startTransition } from 'react';
import { sendReport } from '../remotes/report.ts';
import type { SiteRemotes } from '../remotes/site-remotes.ts';
import { followLinkClicks } from '../router/links.ts';
import type { Outcome, Start } from '../router/visits.ts';

/** In the browser's performance timeline: the site works, and hears what visitors do. */
const readyMark = 'daybook:ready';

interface PreparedStart extends Start {
  /** Tells the server that what the browser rendered was not what the server's HTML is. */
  readonly reportMismatch?: () => void;
}

/** Loads what the page is hydrated with; what is shown stays meanwhile. */
async function prepare(root: HTMLElement, registry: Registry, remotes: SiteRemotes): Promise<PreparedStart> {
  const [name, version] = root.querySelector<HTMLElement>('[data-remote]')?.dataset.remote?.split('@') ?? [];
  const registered = findRoute(registry, location.pathname);
  if (version === undefined || registered?.remote.name !== name || !registered) {
    // A page of the shell's own; where the browser reads an address in another way than the server did, the router decides.
    return { isHydrated: root.hasChildNodes() && version === undefined && !registered };
  }
  const outcome = await loadFirst(registered, remotes);
  return {
    first: { registered, outcome },
    isHydrated: 'version' in outcome && outcome.version === version,
    reportMismatch: () =>
      sendReport({ remote: registered.remote.name, version, route: registered.route.path, kind: 'hydration' }),
  };
}

function loadFirst(registered: RegisteredRoute, remotes: SiteRemotes): Promise<Outcome> {
  const request = { url: location.href, signal: new AbortController().signal };
  return remotes
    .of(registered)
    .load(registered.route.path, request)
    .catch((error: unknown) => ({ error }));
}

/** Takes what visitors pressed and sent while the page was only HTML; from now on React hears it. */
function takeEarlyEvents(): EarlyEvents {
  return (globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName]?.() ?? new Map();
}

/**
 * Repeats early presses on what is still on the page. Each waits until React has rendered what the one before changed:
 * of two buttons that exclude each other, the first counts.
 */
async function repeatEvents(events: EarlyEvents): Promise<void> {
  for (const [element, submitter] of events) {
    if (!element.isConnected) continue;
    if (element instanceof HTMLFormElement) element.requestSubmit(submitter?.isConnected ? submitter : null);
    else element.click();
    // React renders in a microtask, queued before this one.
    await undefined;
  }
}

/** Resolves in a task of its own, so that what visitors do meanwhile is answered first. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** React and the site, which are in the first script and are run in tasks of their own, the longest of a page's start. */
async function runApp() {
  await nextTask();
  const react = await import(/* webpackMode: "eager" */ 'react-dom/client');
  await nextTask();
  const app = await import(/* webpackMode: "eager" */ '../router/site.tsx');
  const visits = await import(/* webpackMode: "eager" */ '../router/visits.ts');
  await nextTask();
  return { ...react, ...app, ...visits };
}

/**
 * Makes the document's first page work: hydrates the one that the server composed, or renders it where there is none,
 * or where the release that it was made of can't be had.
 *
 * @param root the element that holds the page
 */
export async function showFirstPage(root: HTMLElement, registry: Registry, remotes: SiteRemotes): Promise<void> {
  const [{ reportMismatch, ...start }, { createRoot, hydrateRoot, App, Visits }] = await Promise.all([
    prepare(root, registry, remotes),
    runApp(),
  ]);
  const earlyEvents = takeEarlyEvents();
  let ready = false;
  const onReady = () => {
    if (ready) return;
    ready = true;
    followLinkClicks(registry);
    // Not within React's own work, which would put off what each event changes.
    queueMicrotask(async () => {
      await repeatEvents(earlyEvents);
      performance.mark(readyMark);
      root.dataset.ready = '';
    });
  };
  const app = (
    <StrictMode>
      <App visits={new Visits(registry, remotes, start)} onReady={onReady} />
    </StrictMode>
  );
  if (!start.isHydrated) {
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
