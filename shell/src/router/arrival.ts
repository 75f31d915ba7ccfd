import type { PageRoute } from '@daybook/contract/release';
import { pageTitle } from '@daybook/contract/site';
import { useEffect, useRef } from 'react';
import type { Visit } from './visits.ts';

let retried = false;

/** Called after the visitor pressed "Try again": the loaded page takes the focus of the removed button. */
export function focusAfterRetry(): void {
  retried = true;
}

/**
 * Sets the title and moves the focus when a visit's page is shown, so that keyboard and screen reader continue at the
 * target of the link: the section in the address, or the heading of another page. A document's first page moves the
 * focus only to a section.
 *
 * @param wasHtml whether the document's first page came as HTML: then the browser has scrolled to the section, and the
 *   visitor may be somewhere else by now
 */
export function useArrival(visit: Visit, route: Pick<PageRoute, 'path' | 'title'> | undefined, wasHtml: boolean): void {
  const before = useRef<Visit>(undefined);

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
    if (section) {
      if (isFirst && wasHtml && !isFree) return;
      focusSection(section);
      // Browser and router tried it before the page was loaded.
      if (isFirst && !wasHtml) section.scrollIntoView();
    } else if ((!isFirst && hash === '' && previous.location.pathname !== pathname) || (retried && isFree)) {
      retried = false;
      focusPage();
    }
  }, [visit, wasHtml]);
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
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
