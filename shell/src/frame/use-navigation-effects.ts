import { type PageRoute, pageTitle } from '@daybook/contract';
import { useEffect, useRef } from 'react';
import type { Location } from '../router/react-router.ts';
import { focusPage } from './focus-page.ts';

/**
 * What happens on each navigation: path and query go to the console (product document, section 2), the title
 * changes, and the focus moves to the new page, except on the first one and where the address names an anchor.
 */
export function useNavigationEffects(
  route: Pick<PageRoute, 'path' | 'title'> | undefined,
  { pathname, search, hash, key }: Pick<Location, 'pathname' | 'search' | 'hash' | 'key'>,
): void {
  const shownPath = useRef<string>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation is logged, also one to the same address
  useEffect(() => {
    console.log(pathname + search);
  }, [pathname, search, key]);

  useEffect(() => {
    document.title = pageTitle(route);
  }, [route]);

  useEffect(() => {
    const first = shownPath.current === undefined;
    if (!first && shownPath.current !== pathname && hash === '') focusPage();
    shownPath.current = pathname;
  }, [pathname, hash]);
}
