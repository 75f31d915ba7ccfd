import {
  QueryClient,
  type QueryFunction,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useMutationOf,
} from '@tanstack/react-query';
import { ApiError, apiRequest } from './api-request.ts';

// The query library is a sixth of what a page would load to begin with, and few pages need it at once: so it is a module
// of its own, which the shell gives on demand. Import it from code that is itself loaded on demand, or by `import()`.

/**
 * Returns a query function that requests the first element of the query's key (docs/product.md, Calls).
 *
 * @param on401 what it does when the API responds with 401: throw, or return `null`
 */
export function getQueryFunction<Data>(on401: 'throw' | 'returnNull'): QueryFunction<Data | null, QueryKey> {
  return async ({ queryKey }) => {
    try {
      return (await apiRequest('GET', String(queryKey[0]))) as Data;
    } catch (error) {
      if (on401 === 'returnNull' && error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  };
}

/** The one query client of the page, with the defaults of section 7: nothing is retried, polled or refetched, nothing goes stale. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: getQueryFunction('throw'),
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      networkMode: 'always',
    },
    // Without a network a call fails at once, and says so, instead of waiting for one unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** TanStack Query's `useMutation` with the page's one query client, so that no page needs a provider around it. */
export function useMutation<Data, Variables>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  return useMutationOf(options, queryClient);
}
