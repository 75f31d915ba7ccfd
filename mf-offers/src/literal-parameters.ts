import { useLocation } from '@daybook/platform';

/**
 * Returns the query parameters of this page with literal plus signs: links written by hand contain them unencoded
 * (`?email=reader+tag@…`).
 */
export function useLiteralParameters(): URLSearchParams | undefined {
  const search = useLocation()?.search;
  return search === undefined ? undefined : new URLSearchParams(search.replaceAll('+', '%2B'));
}
