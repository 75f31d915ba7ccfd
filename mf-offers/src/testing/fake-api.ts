export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** Response of the API: a status and a JSON body, or the error of a failed request. */
export type FakeResponse = { readonly status?: number; readonly body?: unknown } | Error;

/** Mocks the network: responds to the page's requests, and lists them in order. */
export function fakeApi(respond: (call: Call) => FakeResponse | Promise<FakeResponse>): {
  readonly calls: readonly Call[];
} {
  const calls: Call[] = [];
  globalThis.fetch = async (url, init) => {
    const call: Call = {
      method: init?.method ?? 'GET',
      url: String(url),
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    calls.push(call);
    const response = await respond(call);
    if (response instanceof Error) throw response;
    const text = response.body === undefined ? '' : JSON.stringify(response.body);
    return new Response(text, { status: response.status ?? 200 });
  };
  return { calls };
}

/** An API that accepts everything. */
export const acceptingApi = () => fakeApi(() => ({ body: { success: true } }));
