/** Runs first on every page, before the styles: the browser starts its script engine while it receives the rest. */
import { log } from '@daybook/platform/log';
import { whenShown } from '@daybook/platform/when';
import { recordEarlyEvents } from './record-early-events.ts';

// For the styles of pages, which are prerendered without a query.
const { dataset } = document.documentElement;
dataset.numbers = [...new URLSearchParams(location.search)]
  .map(([name, value]) => (/^\d+$/.test(value) ? name : ''))
  .join(' ');

let pressed: EventTarget | null;

/**
 * The second click of a double click undoes the first, or presses what is now at its place and takes the focus from it
 * (docs/decisions/2026-11-21-composed-pages.md).
 */
function pressOnce(event: MouseEvent): void {
  const { type, target, detail } = event;
  if (detail > 1 && (type === 'click' || target !== pressed)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  pressed = target;
}
addEventListener('mousedown', pressOnce, true);
addEventListener('click', pressOnce, true);

/** A held key presses what the first press has brought under it. In a text it adds lines. */
function holdOnce(event: KeyboardEvent): void {
  const { repeat, key, target } = event;
  const isText = target instanceof HTMLTextAreaElement && target === pressed;
  if (repeat && (key === 'Enter' || key === 'Escape') && !isText) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  pressed = target;
}
addEventListener('keydown', holdOnce, true);

recordEarlyEvents();

// docs/product.md, Pages. The shell logs those within the document.
const logNavigation = () => log('log', location.pathname + location.search);
addEventListener('pageshow', ({ persisted }) => persisted && logNavigation());
whenShown(logNavigation);
