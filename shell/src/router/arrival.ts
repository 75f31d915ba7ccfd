import { laterScriptsId } from '@daybook/contract/page';
import type { PageRoute } from '@daybook/contract/release';
import { pageTitle } from '@daybook/contract/site';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { entryOf, type Visit } from './visits.ts';

let retried = false;

/** By history entry: finds the element where its page was left, if the page still has it when it is shown again. */
const places = new Map<string, () => HTMLElement | undefined>();

/** Called after the visitor pressed "Try again": the loaded page takes the focus of the removed button. */
export function focusAfterRetry(): void {
  retried = true;
}

/**
 * Sets the title and moves the focus when a visit's page is shown, so that keyboard and screen reader continue at the
 * target of the link: the section in the address, or the heading of another page; after Back and Forward, at the element
 * where the page was left. A document's first page moves the focus only to a section.
 *
 * @param wasHtml whether the document's first page came as HTML: then the browser has scrolled to the section, and the
 *   visitor may be somewhere else by now
 */
export function useArrival(visit: Visit, route: Pick<PageRoute, 'path' | 'title'> | undefined, wasHtml: boolean): void {
  const before = useRef<Visit>(undefined);

  // A layout effect, so that it listens before the router, which shows the next page within its own listener.
  useLayoutEffect(() => rememberPlaces(() => before.current), []);

  useEffect(() => {
    document.title = pageTitle(route);
  }, [route]);

  useEffect(() => {
    const previous = before.current;
    before.current = visit;
    if (visit.result === 'loading' || previous === visit) return;
    const isFirst = previous === undefined || previous.result === 'loading';
    const { pathname, hash } = visit.location;
    const isFree = document.activeElement === document.body;
    const section = hash === '' ? null : document.getElementById(hash.slice(1));
    const left = !isFirst && visit.navigation === 'POP' && places.get(entryOf(visit.location))?.();
    if (left) focus(left);
    else if (section) {
      // The visitor of a text page has been reading.
      if (isFirst && wasHtml && (!isFree || document.getElementById(laterScriptsId))) return;
      focusSection(section);
      // Browser and router tried it before the page was loaded.
      if (isFirst && !wasHtml) section.scrollIntoView();
    } else if ((!isFirst && hash === '' && previous.location.pathname !== pathname) || (retried && isFree)) {
      retried = false;
      focusPage();
    }
  }, [visit, wasHtml]);
}

/**
 * Stores the followed link or the focused element of the page that is left: on a click, which also precedes navigation
 * by script, and on Back and Forward, before the router shows another page.
 *
 * @returns a function that stops it
 */
function rememberPlaces(current: () => Visit | undefined): () => void {
  const remember = ({ target }: Event) => {
    // Safari does not focus a clicked link.
    const link = target instanceof Element ? target.closest('a') : null;
    const visit = current();
    if (visit) places.set(entryOf(visit.location), placeOf(link ?? document.querySelector<HTMLElement>(':focus')));
  };
  addEventListener('click', remember, true);
  addEventListener('popstate', remember);
  return () => {
    removeEventListener('click', remember, true);
    removeEventListener('popstate', remember);
  };
}

/** Recognizes an element of a page that was rendered again by its position among those of its name, and by its text. */
function placeOf(element: HTMLElement | null): () => HTMLElement | undefined {
  if (!element) return () => undefined;
  const { tagName, textContent } = element;
  const all = () => [...document.querySelectorAll<HTMLElement>(tagName)];
  const index = all().indexOf(element);
  return () => [all()[index]].find((found) => found?.textContent === textContent);
}

/** Focuses the page's heading; without one, the start of the content. */
function focusPage(): void {
  focus(document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main'));
}

/** Focuses a section's heading, unless the section is focusable itself, like a heading prepared by the page. */
function focusSection(section: HTMLElement): void {
  focus(section.hasAttribute('tabindex') ? section : (section.querySelector<HTMLElement>('h1, h2, h3') ?? section));
}

function focus(target: HTMLElement | null): void {
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
