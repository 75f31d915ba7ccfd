import { useLocation } from '@daybook/platform';
import { useMemo } from 'react';

/**
 * The query parameters of this page's location with every plus sign as it stands, or `undefined` as `useLocation`
 * gives it. Whoever puts an address into a link by hand leaves its plus signs as they are (`?email=reader+tag@…`,
 * `?url=https://…?q=a+b`), while `URLSearchParams` reads them as the spaces of a submitted form.
 *
 * Not in visitor.ts: /redirect needs none of the schemas there, which weigh three times as much as its page.
 */
export function useLiteralParameters(): URLSearchParams | undefined {
  const search = useLocation()?.search;
  return useMemo(
    () => (search === undefined ? undefined : new URLSearchParams(search.replaceAll('+', '%2B'))),
    [search],
  );
}
