import { type PageRoute, pageTitle } from '@daybook/contract';
import { useEffect, useRef } from 'react';
import type { Location } from '../router/react-router.ts';
import { focusPage } from './focus-page.ts';

/**
 * What happens when another page is shown: the title changes, and the focus moves to the new page, except on the first
 * one and where the address names an anchor.
 */
export function useNavigationEffects(
  route: Pick<PageRoute, 'path' | 'title'> | undefined,
  { pathname, hash }: Pick<Location, 'pathname' | 'hash'>,
): void {
  const shownPath = useRef<string>(undefined);

  useEffect(() => {
    document.title = pageTitle(route);
  }, [route]);

  useEffect(() => {
    const first = shownPath.current === undefined;
    if (!first && shownPath.current !== pathname && hash === '') focusPage();
    shownPath.current = pathname;
  }, [pathname, hash]);
}
