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

/** Whether a page that was shown at once is what its load has given. */
const isSame = (shown: Content, loaded: Content) =>
  shown.kind === 'page' && loaded.kind === 'page' ? shown.loaded.page === loaded.loaded.page : shown.kind === 'own';

/**
 * Follows the browser's location: a page stays on show until the next one is there, whole; of several navigations at
 * once the last one counts. One that is there already takes its place in the same frame as the address.
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
  const loadedFor = useRef(first && target);

  const atOnce = shown.location === target ? undefined : pages.findLoaded(target.pathname);
  if (atOnce) setShown({ location: target, navigation, content: atOnce });

  useEffect(() => {
    if (loadedFor.current === target) return;
    const controller = new AbortController();
    pages.load(target, controller.signal).then((content) => {
      if (controller.signal.aborted) return;
      loadedFor.current = target;
      startTransition(() =>
        setShown((before) =>
          before.location === target && isSame(before.content, content)
            ? before
            : { location: target, navigation, content },
        ),
      );
    });
    return () => controller.abort();
  }, [pages, target, navigation]);

  return { shown, isLeaving: shown.location !== target };
}
