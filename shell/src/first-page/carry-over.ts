const controls = 'button, details, form, input, select, textarea';

/**
 * Notes the page's controls, to carry what the visitor did before hydration over to elements that React has rendered anew,
 * because a proxy, a translator or an extension had changed the document, or because the browser runs another release than
 * the document's.
 *
 * @param root the element that contains the page; call this before React starts
 */
export function noteControls(root: HTMLElement) {
  const before = [...root.querySelectorAll<HTMLElement>(controls)];
  let focused: EventTarget | null = document.activeElement;
  const noteFocus = ({ target }: Event) => {
    focused = target;
  };
  root.addEventListener('focusin', noteFocus);

  /** Returns the element in place of an earlier one, which may be itself. */
  function successorOf(element: HTMLElement): HTMLElement | undefined {
    if (element.isConnected) return element;
    const isAlike = (other: HTMLElement) =>
      other.tagName === element.tagName &&
      ['id', 'name', 'type'].every((name) => other.getAttribute(name) === element.getAttribute(name));
    const position = before.filter(isAlike).indexOf(element);
    return [...root.querySelectorAll<HTMLElement>(controls)].filter(isAlike)[position];
  }

  /** Copies typed, selected and checked values and the focus; call this when React has rendered. */
  function carryOver(): void {
    root.removeEventListener('focusin', noteFocus);
    for (const element of before) {
      const successor = successorOf(element);
      if (successor === element) continue;
      if (element instanceof HTMLDetailsElement && successor instanceof HTMLDetailsElement)
        successor.open = element.open;
      else if (successor) copyValue(element, successor);
      if (element === focused && document.activeElement === document.body) successor?.focus({ preventScroll: true });
    }
  }

  return { carryOver, successorOf };
}

function copyValue(from: HTMLElement, to: HTMLElement): void {
  const hasValue = (element: HTMLElement): element is HTMLInputElement =>
    !(element instanceof HTMLButtonElement) && 'value' in element;
  if (!hasValue(from) || !hasValue(to)) return;
  // As a click, which the page notices.
  if (from.checked !== to.checked) to.click();
  if (from.value === to.value) return;
  to.value = from.value;
  to.dispatchEvent(new Event('input', { bubbles: true }));
}
