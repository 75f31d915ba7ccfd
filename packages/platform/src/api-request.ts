import type { ErrorBody } from '@daybook/contract/api';

/** Thrown for a response without a success status. The message has the form `status: body-or-status-text`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The body of the API's error response; `undefined` if the response came from something else, such as a proxy. */
  readonly errorBody: ErrorBody | undefined;
  /** Seconds of the response's `Retry-After`; 0 without one. */
  readonly retryAfter: number;

  constructor(status: number, text: string, retryAfter?: string | null) {
    super(`${status}: ${text}`);
    this.status = status;
    this.errorBody = parseErrorBody(text);
    this.retryAfter = Number(retryAfter) || 0;
  }
}

/** Hand-written: the contract's schema would add 5 kB of a schema library to every page. */
function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    const body: Partial<Record<keyof ErrorBody, unknown>> | null = JSON.parse(text);
    const isErrorBody =
      Number.isInteger(body?.statusCode) && typeof body?.message === 'string' && typeof body.error === 'string';
    return isErrorBody ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** Timeout of a call in ms, with its retries: above the slowest response of a working backend, and the time of a restart. */
const timeout = 20_000;

/** Max seconds of a `Retry-After` that are waited: a longer one would leave no time for a retry. */
const maxRetryAfter = 3;

/** Statuses of a server, or of a proxy in front of it, that restarts. */
const temporaryStatuses = [502, 503, 504];

export interface ApiRequestOptions {
  /**
   * Retries the call until the timeout after a response with a temporary status, and without a response. A POST has an
   * idempotency key, so that the API stores it once.
   */
  readonly retry?: boolean;
}

/**
 * Calls the API (docs/product.md, Calls): JSON body and content type only if there is a body; always sends cookies.
 *
 * @returns the JSON of the response; `undefined` if the response is empty
 * @throws ApiError for any non-success status; TypeError without a response; a DOMException named TimeoutError if the
 *   response was not complete within 20 seconds
 */
export async function apiRequest(
  method: string,
  url: string,
  body?: unknown,
  { retry = false }: ApiRequestOptions = {},
): Promise<unknown> {
  const signal = AbortSignal.timeout(timeout);
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(retry && method === 'POST' ? { 'Idempotency-Key': newIdempotencyKey() } : {}),
  };
  const send = async () => {
    const response = await fetch(url, {
      method,
      credentials: 'include',
      signal,
      // Completes the request even if the visitor leaves the page.
      ...(method === 'GET' ? {} : { keepalive: true }),
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new ApiError(response.status, text || response.statusText, response.headers.get('Retry-After'));
    return text === '' ? undefined : JSON.parse(text);
  };
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      const wait = delayBeforeRetry(error);
      if (!retry || wait === undefined || Date.now() + wait > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Returns the ms until a failed call may succeed, with jitter, so that browsers do not all retry at once. */
function delayBeforeRetry(error: unknown): number | undefined {
  const isTemporary = error instanceof ApiError ? temporaryStatuses.includes(error.status) : error instanceof TypeError;
  const seconds = error instanceof ApiError ? Math.min(error.retryAfter || 1, maxRetryAfter) : 1;
  return isTemporary ? 1000 * seconds * (1 + Math.random() / 2) : undefined;
}

/** Not `crypto.randomUUID()`, which is missing on pages without https. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
