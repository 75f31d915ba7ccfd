/** Thrown for a response without a success status. The message has the form `status: body-or-status-text`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** What the server says to people; `undefined` if it says nothing, or a page of a proxy. */
  readonly serverMessage: string | undefined;

  constructor(status: number, body: string, statusText = '') {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.serverMessage = serverMessageIn(body.trim());
  }
}

function serverMessageIn(body: string): string | undefined {
  try {
    const message: unknown = JSON.parse(body)?.message;
    return typeof message === 'string' && message ? message : undefined;
  } catch {
    return body === '' || body.startsWith('<') ? undefined : body;
  }
}

/** Timeout of a call in ms: above the slowest response of a working backend. */
const timeout = 20_000;

/**
 * Calls the API once (docs/product.md, Calls): JSON body and content type only if there is a body; always sends cookies.
 * Uses no `AbortSignal.timeout()` or `any()`, which some browsers lack, and does not rely on `fetch` to end with the
 * signal: an extension may have replaced it.
 *
 * @param options.signal ends the call early. Remotes built for a former shell pass other options, which are ignored.
 * @returns the JSON of the response; `undefined` if the response is empty
 * @throws ApiError for any non-success status; TypeError without a response; SyntaxError if the response is not JSON; a
 *   DOMException named TimeoutError if the response was not complete within 20 seconds, named AbortError after `signal`
 */
export async function apiRequest(
  method: string,
  url: string,
  body?: unknown,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  const controller = new AbortController();
  let end: (message: string, name: string) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    end = (message, name) => {
      reject(new DOMException(message, name));
      controller.abort();
    };
  });
  const timer = setTimeout(
    () => end(`No complete response within ${timeout / 1000} seconds.`, 'TimeoutError'),
    timeout,
  );
  const abort = () => end('The call was aborted.', 'AbortError');
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await Promise.race([ended, send(method, url, body, controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

async function send(method: string, url: string, body: unknown, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    signal,
    // Completes the request even if the visitor leaves the page.
    ...(method !== 'GET' && { keepalive: true }),
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, text, response.statusText);
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Without the text, which may be a whole page of a proxy, and without the query, which may contain an email address.
    throw new SyntaxError(`The response of ${method} ${url.split('?')[0]} is not JSON.`);
  }
}
