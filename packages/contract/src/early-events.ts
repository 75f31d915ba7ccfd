/**
 * The property of `globalThis` under which a page's first script gives what visitors pressed and sent before the shell
 * was there; see the shell server's `early-events.ts`.
 */
export const earlyEventsName = 'daybookEarlyEvents';

/** A button that was pressed, or a form that was sent and by which button, in the order in which it happened. */
export type EarlyEvents = ReadonlyMap<HTMLElement, HTMLElement | null>;

/** Ends the keeping of events, and gives those that were kept. */
export type TakeEarlyEvents = () => EarlyEvents;
