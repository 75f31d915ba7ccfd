/** What is being asked, and the key under which it goes to the API. */
let attempt: { readonly asked: string; readonly key: string } | undefined;

/**
 * The idempotency key of a request: random, and the same for each further attempt to ask the same, so that a request
 * whose answer was lost is not stored twice.
 */
export function requestKeyOf(asked: string): string {
  if (attempt?.asked !== asked) attempt = { asked, key: newKey() };
  return attempt.key;
}

/** Asking the same once more is another request from now on. */
export function forgetRequestKey(): void {
  attempt = undefined;
}

/** Not `crypto.randomUUID()`: a page without https has none. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
