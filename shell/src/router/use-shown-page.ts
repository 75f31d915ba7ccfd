import { startTransition, useEffect, useRef, useState } from 'react';
import type { Content } from './content.tsx';
import { type Location, useLocation, useNavigationType } from './react-router.ts';
import type { SitePages } from './site-pages.ts';

/** What the visitor sees, and where on the site that is. */
export interface Shown {
  readonly location: Location;
  /** How it was come to: `POP` is Back, Forward, or the visit's first page. */
  readonly navigation: ReturnType<typeof useNavigationType>;
  readonly content: Content;
}

export interface ShownPage {
  readonly shown: Shown;
  /** The visitor has gone on, and the next page is on its way. */
  readonly isLeaving: boolean;
}

/**
 * Follows the browser's location: a page stays on show until the next one is there, whole; of several navigations at
 * once the last one counts.
 *
 * @param first what is at the first location, where that is known before it is rendered
 */
export function useShownPage(pages: SitePages, first: Content | undefined): ShownPage {
  const target = useLocation();
  const navigation = useNavigationType();
  const [shown, setShown] = useState<Shown>(() => ({
    location: target,
    navigation,
    content: first ?? pages.find(target.pathname),
  }));
  const latest = useRef(shown);

  useEffect(() => {
    const { location, content } = latest.current;
    if (location === target && content.kind !== 'loading') return;
    const controller = new AbortController();
    pages.load(target, controller.signal).then((next) => {
      if (controller.signal.aborted) return;
      latest.current = { location: target, navigation, content: next };
      startTransition(() => setShown(latest.current));
    });
    return () => controller.abort();
  }, [pages, target, navigation]);

  return { shown, isLeaving: shown.location !== target };
}
