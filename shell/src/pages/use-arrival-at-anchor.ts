import { useEffect } from 'react';
import type { Location } from '../router/react-router.ts';

let arrived = false;

/**
 * Moves the focus to the section that the address names, so that the keyboard and a screen reader go on from where
 * the link led, and shows that section on a visit's first page: browser and router looked for it before the page was
 * loaded. On every later page the router shows it.
 *
 * @param wasShown whether the page was there as HTML before: then the browser has led to the section, and the visitor
 * may be somewhere else by now
 */
export function useArrivalAtAnchor({ hash, key }: Pick<Location, 'hash' | 'key'>, wasShown: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation to an anchor leads there, also one to the same
  useEffect(() => {
    const section = hash === '' ? null : document.getElementById(hash.slice(1));
    const isFirst = !arrived;
    arrived = true;
    if (!section || (isFirst && wasShown && document.activeElement !== document.body)) return;
    focusSection(section);
    if (isFirst && !wasShown) section.scrollIntoView();
  }, [hash, key]);
}

/** Its heading says where one is; what takes the focus by itself, like a heading that the page prepared, has it. */
function focusSection(section: HTMLElement): void {
  const target = section.hasAttribute('tabindex')
    ? section
    : (section.querySelector<HTMLElement>('h1, h2, h3') ?? section);
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}
