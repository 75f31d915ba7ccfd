import { setTimeout as delay } from 'node:timers/promises';

/** Retries a check until it passes; fails with the check's error after 20 seconds. */
export async function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  const limit = AbortSignal.timeout(20_000);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (limit.aborted) throw error;
      await delay(20);
    }
  }
}
