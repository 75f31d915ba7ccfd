import { useEffect, useRef } from 'react';
import { type Location, useLocation, useNavigationType } from 'react-router-dom';
import { pageKeyOf, placeAt } from './history-entries.ts';

/**
 * Moves the focus after each navigation: on Back and Forward to the element where the page was left, else to the section in
 * the URL, else to the heading of another page.
 */
export function useFocusAfterNavigation(): void {
  const location = useLocation();
  const action = useNavigationType();
  const shown = useRef(location);
  useEffect(() => {
    const before = shown.current;
    shown.current = location;
    if (location === before) return;
    const place = action === 'POP' ? placeAt(location) : undefined;
    const section = sectionOf(location);
    if (place) focus(place);
    else if (section) focusSection(section);
    else if (pageKeyOf(location) !== pageKeyOf(before)) focusPage();
  }, [location, action]);
}

/** Focuses the page's heading; without one, the start of the content. */
export function focusPage(): void {
  focus(document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main'));
}

function sectionOf({ hash }: Location): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Focuses a section's heading, unless the section is focusable itself. */
function focusSection(section: HTMLElement): void {
  focus(section.hasAttribute('tabindex') ? section : (section.querySelector<HTMLElement>('h1, h2, h3') ?? section));
}

function focus(target: HTMLElement | null): void {
  if (!target) return;
  if (target.tabIndex < 0) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
