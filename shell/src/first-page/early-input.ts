import { type EarlyEvents, earlyEventsName, type TakeEarlyEvents } from '@daybook/contract';

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

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/**
 * Sets a text past React, which watches the element's own property to tell what a visitor typed from what it has
 * written itself.
 */
const setUnseen = (control: TextControl, value: string) =>
  Reflect.set(Object.getPrototypeOf(control), 'value', value, control);

/** Types a text once more. Hydration keeps it, but the first render after it writes what the page knows: nothing. */
function retype(control: TextControl, typed: string): void {
  const text = control.value === control.defaultValue ? typed : control.value;
  // React hears of a text only where it is another one than it last saw.
  for (const value of [control.defaultValue, text]) {
    setUnseen(control, value);
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

/** Ticks a box once more, or takes the tick out; where it is as it was left, React learns of it by two presses. */
function recheck(box: HTMLInputElement, checked: boolean): void {
  if (box.checked === checked) box.click();
  box.click();
}

/** Chooses from a list once more: hydration chose what the page says. */
function rechoose(list: HTMLSelectElement, value: string): void {
  list.value = value;
  list.dispatchEvent(new Event('change', { bubbles: true }));
}

function howToTell(control: Element): (() => void) | undefined {
  if (control instanceof HTMLSelectElement) {
    const { value, options } = control;
    const isChanged = [...options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
    return isChanged ? () => rechoose(control, value) : undefined;
  }
  if (control instanceof HTMLInputElement && control.type === 'checkbox') {
    const { checked, defaultChecked } = control;
    return checked !== defaultChecked ? () => recheck(control, checked) : undefined;
  }
  if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
    const { value, defaultValue } = control;
    return value !== defaultValue ? () => retype(control, value) : undefined;
  }
  return undefined;
}

/** Fields that a visitor has changed, each with what tells the page of the change once it is hydrated. */
type ChangedFields = Map<Element, () => void>;

/** Notes a field as it is now, if it has been changed; forgets it, if it has been changed back. */
function noteField(changed: ChangedFields, control: Element): void {
  const tell = howToTell(control);
  if (tell) changed.set(control, () => control.isConnected && tell());
  else changed.delete(control);
}

/** The fields that a visitor has changed while the page was only HTML. */
function changedFields(root: HTMLElement): ChangedFields {
  const changed: ChangedFields = new Map();
  for (const control of root.querySelectorAll('input, textarea, select')) noteField(changed, control);
  return changed;
}
