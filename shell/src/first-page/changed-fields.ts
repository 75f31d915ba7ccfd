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
export type ChangedFields = Map<Element, () => void>;

/** Notes a field as it is now, if it has been changed; forgets it, if it has been changed back. */
export function noteField(changed: ChangedFields, control: Element): void {
  const tell = howToTell(control);
  if (tell) changed.set(control, () => control.isConnected && tell());
  else changed.delete(control);
}

/** The fields that a visitor has changed while the page was only HTML. */
export function changedFields(root: HTMLElement): ChangedFields {
  const changed: ChangedFields = new Map();
  for (const control of root.querySelectorAll('input, textarea, select')) noteField(changed, control);
  return changed;
}
