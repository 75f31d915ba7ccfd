export interface Call {
  /** Method and path, such as `PUT /api/waitlist/7/complete`. */
  readonly call: string;
  readonly body: unknown;
}

/** Response of the API: a status and a JSON body, or the text of another server; or the error of a failed request. */
export type FakeResponse = { readonly status?: number; readonly body?: unknown; readonly text?: string } | Error;

type Respond = (call: Call, init: RequestInit) => FakeResponse | Promise<FakeResponse>;

/** Mocks the network of a page; returns its calls, in order. Without `respond`, accepts everything. */
export function fakeApi(respond: Respond = () => ({ body: { success: true } })): readonly Call[] {
  const calls: Call[] = [];
  globalThis.fetch = async (url, init = {}) => {
    const call = {
      call: `${init.method} ${url}`,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    };
    calls.push(call);
    const response = await respond(call, init);
    if (response instanceof Error) throw response;
    return new Response(response.text ?? JSON.stringify(response.body), { status: response.status ?? 200 });
  };
  return calls;
}
