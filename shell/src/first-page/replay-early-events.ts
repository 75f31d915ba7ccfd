import { earlyEventsName, type TakeEarlyEvents, toastHotkey } from '@daybook/contract/page';

const hotkeyPress = () => new KeyboardEvent('keydown', { code: toastHotkey, bubbles: true });

/**
 * Takes over the clicks and submits that happened before hydration (recorded by `../inline/record-early-events.ts`), and
 * notes the hotkey of the notifications until they are replayed: its listener is not there yet, and React only handles
 * events of what it renders.
 */
export function takeEarlyEvents() {
  const events = new Map((globalThis as { [earlyEventsName]?: TakeEarlyEvents })[earlyEventsName]?.());
  const noteHotkey = ({ code }: KeyboardEvent) => {
    if (code === toastHotkey) events.set(document.body, null);
  };
  document.addEventListener('keydown', noteHotkey);

  /**
   * Replays the events on elements that still exist. Each waits until React has rendered the changes of the one before:
   * of two buttons that exclude each other, the first wins.
   *
   * @param successorOf returns the element in place of one that React has rendered anew
   */
  async function replayEvents(successorOf: (element: HTMLElement) => HTMLElement | undefined): Promise<void> {
    document.removeEventListener('keydown', noteHotkey);
    for (const [early, submitter] of events) {
      const element = successorOf(early);
      if (element instanceof HTMLFormElement) element.requestSubmit(submitter && successorOf(submitter));
      else if (element === document.body) element.dispatchEvent(hotkeyPress());
      else element?.click();
      // React renders in a microtask, queued before this one.
      await undefined;
    }
  }

  return { replayEvents };
}
