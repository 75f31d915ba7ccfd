import { type EarlyEvents, earlyEventsName, type TakeEarlyEvents } from '@daybook/contract';
import { changedFields, noteField } from './changed-fields.ts';

function takeEarlyEvents(): EarlyEvents {
  const take = (globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName];
  return take?.() ?? new Map();
}

function repeat(element: HTMLElement, submitter: HTMLElement | null): void {
  if (!element.isConnected) return;
  if (element instanceof HTMLFormElement) element.requestSubmit(submitter?.isConnected ? submitter : null);
  else element.click();
}

/** What changes a field; most of it begins with a key or a pointer, at which React hydrates, but not a browser's filling in. */
const changes = ['input', 'change'] as const;

/**
 * Takes what visitors typed, pressed and sent while the page was only HTML; from now on it is React that hears them.
 * While it hydrates, it hears of no change of a field that comes by itself, so those are noted on.
 * To be called right before the page is hydrated.
 *
 * @returns tells the page of it, once it is hydrated; what is no longer there is left out. Each press is told when
 *   the page has answered the one before, as it has when a visitor presses: of two buttons that exclude each other, the first counts
 */
export function takeEarlyInput(root: HTMLElement): () => Promise<void> {
  const changed = changedFields(root);
  const note = ({ target }: Event) => target instanceof Element && noteField(changed, target);
  for (const type of changes) root.addEventListener(type, note, true);
  const events = takeEarlyEvents();
  return async () => {
    for (const type of changes) root.removeEventListener(type, note, true);
    for (const tell of changed.values()) tell();
    for (const [element, submitter] of events) {
      repeat(element, submitter);
      // React renders what an event has changed in a microtask, queued before this one.
      await undefined;
    }
  };
}
