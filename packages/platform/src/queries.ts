import { useRef, useState } from 'react';
import { ApiError, apiRequest } from './api-request.ts';

// The shell provides this module on demand: import it from code that is loaded on demand, or by `import()`.

const queries = new Map<string, Promise<unknown>>();

/** For tests: forgets all responses. */
export const clearQueries = () => queries.clear();

/** Requests the first element of a key once for all calls, and again after a failure; throws what `apiRequest` throws. */
export function query(key: readonly [url: string, ...unknown[]], on401: 'throw' | 'returnNull' = 'throw') {
  const name = JSON.stringify([key, on401]);
  const data =
    queries.get(name) ??
    apiRequest('GET', key[0]).catch((error: unknown) => {
      if (on401 === 'returnNull' && error instanceof ApiError && error.status === 401) return null;
      queries.delete(name);
      throw error;
    });
  queries.set(name, data);
  return data;
}

type Call<Input, Data> = { isPending: boolean; input?: Input; data?: Data; error?: unknown };

/** The state of the latest call. A new call aborts the one before; `start` then resolves to `undefined` for that one. */
export function useCall<Input, Data>(send: (input: Input, signal: AbortSignal) => Promise<Data>) {
  const [call, setCall] = useState<Call<Input, Data>>({ isPending: false });
  const latest = useRef<AbortController>(undefined);
  async function start(input: Input): Promise<Call<Input, Data> | undefined> {
    latest.current?.abort();
    const controller = new AbortController();
    latest.current = controller;
    setCall({ isPending: true, input });
    const settled = await send(input, controller.signal).then(
      (data) => ({ isPending: false, input, data }),
      (error: unknown) => ({ isPending: false, input, error }),
    );
    if (latest.current !== controller) return undefined;
    setCall(settled);
    return settled;
  }
  return { ...call, start, reset: () => setCall({ isPending: false }) };
}
