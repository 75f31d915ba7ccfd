// The query library is a sixth of what a page would load to begin with, and few pages need it at once: so it is a module
// of its own, which the shell gives on demand. Import it from code that is itself loaded on demand, or by `import()`.
export { getQueryFunction, queryClient } from './query-client.ts';
export { useMutation } from './use-mutation.ts';
