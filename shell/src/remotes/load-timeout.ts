/** In ms; the build has the same for chunks. Above what a slow link takes, so that it only ends a load that has stalled. */
const loadTimeout = 60_000;

/** Resolves like the promise, or rejects with a timeout. Not `AbortSignal.timeout()`: scripts have no signal. */
export function withTimeout<Value>(loading: Promise<Value>, timeout = loadTimeout): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new DOMException(`No response after ${timeout} ms.`, 'TimeoutError'));
    const timer = setTimeout(end, timeout);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns whether a load timed out, in the bundler's runtime too: another release would load over the same link. */
export const isTimeout = (error: unknown) =>
  error instanceof Error && (error.name === 'TimeoutError' || ('type' in error && error.type === 'timeout'));
