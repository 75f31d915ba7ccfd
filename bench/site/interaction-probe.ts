/** What a page shows in answer to an input. */
export type Reaction = 'another page' | 'a dialog' | 'a letter';

/** How long a page takes to show what the visitor did. */
export interface InteractionProbe {
  /** From the next event of this type until the page has painted its reaction; in ms. */
  untilPainted(type: 'click' | 'keydown', reaction: Reaction): Promise<number>;
}

declare global {
  interface Window {
    interactionProbe: InteractionProbe;
  }
}

/**
 * Times interactions of a page. Runs in the page: it is handed over as text, so it names nothing that is outside of it.
 *
 * The time begins with the event's own time stamp, which is that of the input, so it includes what the event waits for
 * before it is handled. It ends in the first task after the frame that shows the reaction.
 */
export function installInteractionProbe(): void {
  const states: Readonly<Record<Reaction, () => unknown>> = {
    'another page': () => document.querySelector('main h1')?.textContent,
    'a dialog': () => document.querySelector('dialog[open]') ?? undefined,
    'a letter': () => (document.activeElement as HTMLInputElement | null)?.value,
  };
  window.interactionProbe = {
    untilPainted: (type, reaction) =>
      new Promise((resolve) => {
        const listen = ({ timeStamp }: Event) => {
          const before = states[reaction]();
          const look = () => {
            const now = states[reaction]();
            if (now === undefined || now === before) return void requestAnimationFrame(look);
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - timeStamp);
            port2.postMessage(undefined);
          };
          requestAnimationFrame(look);
        };
        addEventListener(type, listen, { capture: true, once: true });
      }),
  };
}
