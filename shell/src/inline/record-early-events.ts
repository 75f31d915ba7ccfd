import { type EarlyEvents, earlyEventsName, type TakeEarlyEvents, toastHotkey } from '@daybook/contract/page';

/** Time in ms after which a press that nothing has responded to is explained. */
const explanationDelay = 5_000;

/** Returns the element whose event the shell replays; `undefined` for all that the browser handles itself. */
function elementToReplay({ type, target, code }: Event & { readonly code?: string }): HTMLElement | null | undefined {
  const element = target as HTMLElement;
  if (type === 'submit') return element;
  if (type === 'click') return element.closest?.<HTMLElement>('button[type=button]');
  return code === toastHotkey ? document.body : undefined;
}

function showNote(): HTMLElement {
  const link = document.createElement('a');
  link.href = '';
  link.textContent = 'reload the page';
  const note = document.createElement('p');
  note.setAttribute('role', 'alert');
  note.dataset.startNote = '';
  note.append(
    'This page has not finished loading. What you pressed counts once it has. If nothing happens, please ',
    link,
    '.',
  );
  document.body.append(note);
  return note;
}

/**
 * Records clicks, submits and the hotkey of the notifications until the shell takes them. Explains a press that has no effect:
 * at once if any script has failed, otherwise after a while.
 */
export function recordEarlyEvents(): void {
  const { dataset } = document.documentElement;
  const events = new Map<HTMLElement, HTMLElement | null>();
  const types = ['click', 'submit', 'keydown'];
  const errors = ['error', 'unhandledrejection'];
  let hasFailed = false;
  let note: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function explain(): void {
    if (hasFailed) delete dataset.waiting;
    note ??= showNote();
  }
  function fail(): void {
    hasFailed = true;
    if (events.size > 0) explain();
  }
  function record(event: Event & { readonly submitter?: HTMLElement | null }): void {
    if (event.type === 'submit') event.preventDefault();
    const element = elementToReplay(event);
    if (!element) return;
    events.set(element, event.submitter ?? null);
    dataset.waiting = '';
    if (hasFailed) explain();
    else timer ??= setTimeout(explain, explanationDelay);
  }
  function takeEvents(): EarlyEvents {
    for (const type of types) removeEventListener(type, record, true);
    for (const type of errors) removeEventListener(type, fail, true);
    clearTimeout(timer);
    note?.remove();
    delete dataset.waiting;
    return events;
  }

  for (const type of types) addEventListener(type, record, true);
  for (const type of errors) addEventListener(type, fail, true);
  (globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName] = takeEvents;
}
