import { setTimeout as delay } from 'node:timers/promises';

/** Retries a check until it passes; fails with the check's error after five seconds, or `timeout` ms. */
export async function eventually<Value>(check: () => Value | Promise<Value>, timeout = 5_000): Promise<Value> {
  const limit = AbortSignal.timeout(timeout);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (limit.aborted) throw error;
      await delay(20);
    }
  }
}
