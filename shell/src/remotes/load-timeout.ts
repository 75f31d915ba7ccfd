/**
 * In ms; the build has the same for chunks. Files come from the site's own origin, so a slow load is the visitor's link:
 * the timeout is above what a slow one takes, and only ends a load that has stalled.
 */
const loadTimeout = 60_000;

/** Resolves like the promise, or rejects with a timeout. Not `AbortSignal.timeout()`: scripts have no signal. */
export function withTimeout<Value>(loading: Promise<Value>, timeout = loadTimeout): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DOMException(`No response after ${timeout} ms.`, 'TimeoutError')),
      timeout,
    );
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Returns whether a load ended with its timeout, in the bundler's runtime too. It says nothing about a release, and a
 * retry, or another release, would load over the same link.
 */
export const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || ('type' in error && error.type === 'timeout'));
