import type { ErrorBody } from '@daybook/contract';

/** A call that was answered, but not with a success status. Its message reads `status: body-or-status-text`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The refusal as the API words it, or `undefined` where the answer came from something else (a proxy, say). */
  readonly refusal: ErrorBody | undefined;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.status = status;
    this.refusal = parseRefusal(text);
  }
}

/** By hand: the contract's schema would bring 5 kB of a schema library into every page. */
function parseRefusal(text: string): ErrorBody | undefined {
  try {
    const body: Partial<Record<keyof ErrorBody, unknown>> | null = JSON.parse(text);
    const isRefusal =
      Number.isInteger(body?.statusCode) && typeof body?.message === 'string' && typeof body.error === 'string';
    return isRefusal ? (body as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

/** How long a call may take, in ms: longer than any backend that still works, and short enough to wait for and try again. */
const timeout = 20_000;

/**
 * Calls the API as docs/product.md (Calls) says: a JSON body and content type only where there is a
 * body, cookies always sent.
 *
 * @returns the answer's JSON, or `undefined` where the answer is empty
 * @throws ApiError for any non-success status; TypeError where no response came; a DOMException named TimeoutError
 *   where the response was not there, whole, within 20 seconds
 */
export async function apiRequest(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    signal: AbortSignal.timeout(timeout),
    // What is being stored is stored also when the visitor leaves the page meanwhile.
    ...(method === 'GET' ? {} : { keepalive: true }),
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, text || response.statusText);
  return text === '' ? undefined : JSON.parse(text);
}
