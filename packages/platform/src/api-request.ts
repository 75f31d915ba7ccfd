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

/** Max seconds between two attempts, without jitter: more would leave few of them. */
const maxWait = 3;

export interface ApiRequestOptions {
  /**
   * Retries the call until the timeout, after a 502, 503 or 504 and without a response. A POST has an idempotency key, so
   * that the API stores it once. An older shell ignores the option.
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
  const deadline = Date.now() + timeout;
  const init: RequestInit = {
    method,
    credentials: 'include',
    signal: AbortSignal.timeout(timeout),
    // Completes the request even if the visitor leaves the page.
    ...(method !== 'GET' && { keepalive: true }),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(retry && method === 'POST' && { 'Idempotency-Key': newIdempotencyKey() }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(url, init);
    } catch (error) {
      const wait = delayBeforeRetry(error, attempt);
      if (!retry || !wait || Date.now() + wait > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok)
    throw new ApiError(response.status, text || response.statusText, response.headers.get('Retry-After'));
  return text === '' ? undefined : JSON.parse(text);
}

/**
 * Returns the ms until the next attempt; 0 if it would fail, too. Without a response, or with one of a proxy, the server may
 * be restarting. Backoff and jitter spread the attempts of all visitors that wait for it.
 */
function delayBeforeRetry(error: unknown, attempt: number): number {
  const { status, retryAfter } =
    error instanceof ApiError ? error : { status: error instanceof TypeError ? 503 : 0, retryAfter: 0 };
  if (status < 502 || status > 504) return 0;
  return 1000 * Math.min(Math.max(retryAfter, attempt), maxWait) * (1 + Math.random() / 2);
}

/** Not `crypto.randomUUID()`, which is missing on pages without https. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
