import type { ErrorBody } from '@daybook/contract/api';

/** Thrown for a response without a success status. The message has the form `status: body-or-status-text`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The body of the API's error response; `undefined` if the response came from something else, such as a proxy. */
  readonly errorBody: ErrorBody | undefined;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
    this.errorBody = parseErrorBody(text);
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

/** Timeout of a call in ms: above the slowest response of a working backend, and short enough to wait and retry. */
const timeout = 20_000;

/**
 * Calls the API (docs/product.md, Calls): JSON body and content type only if there is a body; always sends cookies.
 *
 * @returns the JSON of the response; `undefined` if the response is empty
 * @throws ApiError for any non-success status; TypeError without a response; a DOMException named TimeoutError if the
 *   response was not complete within 20 seconds
 */
export async function apiRequest(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    signal: AbortSignal.timeout(timeout),
    // Completes the request even if the visitor leaves the page.
    ...(method === 'GET' ? {} : { keepalive: true }),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, text || response.statusText);
  return text === '' ? undefined : JSON.parse(text);
}
