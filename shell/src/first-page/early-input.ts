import { earlyEventsName, type TakeEarlyEvents, toastHotkey } from '@daybook/contract/page';

const controls = 'button, details, form, input, select, textarea';

/**
 * Takes over what the visitor does before hydration: the events of `../inline/record-early-events.ts`, values and the focus.
 * React may render the controls anew, after a translator has changed the document or a release was replaced.
 *
 * @param root the element that contains the page; call this right before React starts
 * @returns copies the values and replays the events; call it when React has rendered
 */
export function keepEarlyInput(root: HTMLElement): () => Promise<void> {
  const events = new Map((globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName]?.());
  const before = [...root.querySelectorAll<HTMLElement>(controls)];
  let focused: EventTarget | null = document.activeElement;
  const noteFocus = ({ target }: Event) => {
    focused = target;
  };
  const noteHotkey = ({ code }: KeyboardEvent) => {
    if (code === toastHotkey) events.set(document.body, null);
  };
  root.addEventListener('focusin', noteFocus);
  document.addEventListener('keydown', noteHotkey);

  function successorOf(element: HTMLElement): HTMLElement | undefined {
    if (element.isConnected) return element;
    const isAlike = (other: HTMLElement) =>
      other.tagName === element.tagName &&
      ['id', 'name', 'type'].every((name) => other.getAttribute(name) === element.getAttribute(name));
    const position = before.filter(isAlike).indexOf(element);
    return [...root.querySelectorAll<HTMLElement>(controls)].filter(isAlike)[position];
  }

  return async () => {
    root.removeEventListener('focusin', noteFocus);
    document.removeEventListener('keydown', noteHotkey);
    for (const element of before.filter(({ isConnected }) => !isConnected)) {
      const successor = successorOf(element);
      if (successor) copyState(element, successor);
      if (element === focused && document.activeElement === document.body) successor?.focus({ preventScroll: true });
    }
    for (const [early, submitter] of events) {
      const element = successorOf(early);
      if (element instanceof HTMLFormElement) element.requestSubmit(submitter && successorOf(submitter));
      else if (element === document.body)
        element.dispatchEvent(new KeyboardEvent('keydown', { code: toastHotkey, bubbles: true }));
      else element?.click();
      // React renders in a microtask.
      await undefined;
    }
  };
}

function copyState(from: HTMLElement, to: HTMLElement): void {
  if (from instanceof HTMLDetailsElement) (to as HTMLDetailsElement).open = from.open;
  if (from instanceof HTMLButtonElement || !('value' in from)) return;
  const [typed, field] = [from as HTMLInputElement, to as HTMLInputElement];
  if (typed.checked !== field.checked) field.click();
  if (typed.value === field.value) return;
  field.value = typed.value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
