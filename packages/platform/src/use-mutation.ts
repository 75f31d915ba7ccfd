import { type UseMutationOptions, type UseMutationResult, useMutation as useMutationOf } from '@tanstack/react-query';
import { queryClient } from './query-client.ts';

/** TanStack Query's `useMutation` with the page's one query client, so that no page needs a provider around it. */
export function useMutation<Data, Variables>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  return useMutationOf(options, queryClient);
}
