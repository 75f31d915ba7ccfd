import { useLocation } from '@daybook/platform';

/**
 * Returns the query parameters of this page's location with literal plus signs; `undefined` while `useLocation` is.
 * Links written by hand contain plus signs unencoded (`?email=reader+tag@…`, `?url=https://…?q=a+b`), but
 * `URLSearchParams` reads them as the spaces of a submitted form.
 *
 * Not in visitor.ts: /redirect needs none of the schemas there, which are three times the size of its page.
 */
export function useLiteralParameters(): URLSearchParams | undefined {
  const search = useLocation()?.search;
  return search === undefined ? undefined : new URLSearchParams(search.replaceAll('+', '%2B'));
}
