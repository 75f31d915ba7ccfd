import { type EarlyEvents, earlyEventsName, type TakeEarlyEvents } from '@daybook/contract';
import { changedFields } from './changed-fields.ts';

function takeEarlyEvents(): EarlyEvents {
  const take = (globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName];
  return take?.() ?? new Map();
}

function repeat(element: HTMLElement, submitter: HTMLElement | null): void {
  if (!element.isConnected) return;
  if (element instanceof HTMLFormElement) element.requestSubmit(submitter?.isConnected ? submitter : null);
  else element.click();
}

/**
 * Takes what visitors typed, pressed and sent while the page was only HTML; from now on it is React that hears them.
 * To be called right before the page is hydrated.
 *
 * @returns tells the page of it, once it is hydrated; what is no longer there is left out
 */
export function takeEarlyInput(root: HTMLElement): () => void {
  const fields = changedFields(root);
  const events = takeEarlyEvents();
  return () => {
    for (const tell of fields) tell();
    for (const [element, submitter] of events) repeat(element, submitter);
  };
}
