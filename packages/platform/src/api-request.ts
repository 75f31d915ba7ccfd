/** A response without a success status; its message is `status: body-or-status-text`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** What the server says to people; `undefined` for nothing and for a proxy's HTML page. */
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

/** In ms; the slowest response of a working backend is faster. */
const timeout = 20_000;

/**
 * Calls the API once; returns the response's JSON, or `undefined` for an empty response.
 *
 * @throws ApiError for a non-success status; TypeError without a response; SyntaxError if it is not JSON; DOMException
 *   after the timeout (TimeoutError) or `signal` (AbortError)
 */
export async function apiRequest(
  method: string,
  url: string,
  body?: unknown,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<unknown> {
  // Safari before 17.4 lacks `AbortSignal.any()`.
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const expire = () => controller.abort(new DOMException(`No response within ${timeout} ms.`, 'TimeoutError'));
  const timer = setTimeout(expire, timeout);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    return await send(method, url, body, controller.signal);
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
    // Without the query, which may contain an email address.
    throw new SyntaxError(`The response of ${method} ${url.split('?')[0]} is not JSON.`);
  }
}
