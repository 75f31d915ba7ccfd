import {
  QueryClient,
  type QueryFunction,
  type QueryKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useMutationOf,
} from '@tanstack/react-query';
import { ApiError, apiRequest } from './api-request.ts';

// The query library is a sixth of a page's initial size, and few pages need it at once: so it is a separate module,
// which the shell provides on demand. Import it from code that is itself loaded on demand, or by `import()`.

/**
 * Returns a query function that requests the first element of the query's key (docs/product.md, Calls).
 *
 * @param on401 behavior for a 401 response: throw, or return `null`
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

/**
 * The single query client of the page, with the defaults of docs/product.md: no retries, polling or refetching, and
 * data never becomes stale. That includes a failed query when its component mounts again or the network returns.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      queryFn: getQueryFunction('throw'),
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retryOnMount: false,
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
      networkMode: 'always',
    },
    // Fails at once without a network, with a message, instead of waiting for one silently.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** TanStack Query's `useMutation` with the page's one query client, so that pages need no provider. */
export function useMutation<Data, Variables>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  return useMutationOf(options, queryClient);
}
