import { useState } from 'react';
import { ApiError, apiRequest } from './api-request.ts';

// Calls are made once (docs/product.md, Calls): no retries, polling or refetching, and data never becomes stale. The names
// are those of TanStack Query, since people know them. Few pages need this module at once: the shell
// provides it on demand, so import it from code that is itself loaded on demand, or by `import()`.

interface Query {
  /** The URL to request, and whatever else tells queries apart. */
  readonly queryKey: readonly [url: string, ...unknown[]];
  /** Behavior for a 401 response: by default throw. */
  readonly on401?: 'throw' | 'returnNull';
}

const queries = new Map<string, Promise<unknown>>();

async function request({ queryKey: [url], on401 }: Query): Promise<unknown> {
  try {
    return await apiRequest('GET', url);
  } catch (error) {
    if (on401 === 'returnNull' && error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The page's queries, by their keys. */
export const queryClient = {
  /**
   * Requests the first element of a key, once for all calls; after a failure, the next call requests it again.
   *
   * @throws what `apiRequest` throws
   */
  fetchQuery(query: Query): Promise<unknown> {
    const key = JSON.stringify(query.queryKey);
    const known = queries.get(key);
    if (known) return known;
    const data = request(query);
    queries.set(key, data);
    data.catch(() => queries.delete(key));
    return data;
  },
  clear: () => queries.clear(),
};

interface MutationOptions<Data, Variables> {
  readonly mutationFn: (variables: Variables) => Promise<Data>;
  readonly onSuccess?: (data: Data, variables: Variables) => void;
  readonly onError?: (error: unknown, variables: Variables) => void;
  /** Called after each of the others. */
  readonly onSettled?: (data: Data | undefined, error: unknown, variables: Variables) => void;
}

interface MutationState<Data, Variables> {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly variables?: Variables;
  readonly data?: Data;
  readonly error?: unknown;
}

const idle = { isPending: false, isError: false };

/** A call that changes something: the state of the latest one. The callbacks run for all, also after the page was left. */
export function useMutation<Data, Variables>({
  mutationFn,
  onSuccess,
  onError,
  onSettled,
}: MutationOptions<Data, Variables>) {
  const [state, setState] = useState<MutationState<Data, Variables>>(idle);
  return {
    ...state,
    mutate(variables: Variables): void {
      const pending = { ...idle, isPending: true, variables };
      const settle = (settled: MutationState<Data, Variables>) =>
        setState((shown) => (shown === pending ? settled : shown));
      setState(pending);
      mutationFn(variables).then(
        (data) => {
          settle({ ...idle, variables, data });
          onSuccess?.(data, variables);
          onSettled?.(data, null, variables);
        },
        (error: unknown) => {
          settle({ ...idle, isError: true, variables, error });
          onError?.(error, variables);
          onSettled?.(undefined, error, variables);
        },
      );
    },
    reset: () => setState(idle),
  };
}
