import { describe, expect, jest, test } from '@jest/globals';
import { anAddress, privacyRequest, signUp } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Returns the noise of a series: the spread of the medians of its parts. */
function noiseOf(times: readonly number[]): number {
  const parts = [0, 1, 2, 3].map((part) => median(times.filter((_, index) => index % 4 === part)));
  return Math.max(...parts) - Math.min(...parts);
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await action();
  return performance.now() - since;
}

/** Number of measurements of each action. */
const tries = 1_000;

// Ten times what a test takes on an idle machine.
jest.setTimeout(200_000);

/** Measures two actions in turns, and expects equal times within the noise of this run. */
async function expectSameTime(one: () => Promise<unknown>, other: () => Promise<unknown>) {
  for (let round = 0; round < 100; round += 1) await Promise.all([one(), other()]);
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < tries; round += 1) {
    // Alternates which one is first.
    const order = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
    for (const which of order) times[which].push(await timeOf(which === 0 ? one : other));
  }
  const [first, second] = [median(times[0]), median(times[1])];
  const bound = 3 * Math.max(noiseOf(times[0]), noiseOf(times[1])) + 0.2 * Math.min(first, second);
  expect(Math.abs(first - second)).toBeLessThan(bound);
}

describe('the response time does not reveal', () => {
  test('whether another browser signed up with an address', async () => {
    const known = anAddress();
    await signUp(backend, { email: known });
    const { cookie = '' } = await signUp(backend);
    const lookUp = (email: string) =>
      backend.request('GET', `/api/waitlist/by-email?email=${encodeURIComponent(email)}`, { headers: { cookie } });
    await expectSameTime(
      () => lookUp(known),
      () => lookUp(known.replace('reader', 'nobody')),
    );
  });

  test('whether an address signed up before', async () => {
    const known = Array.from({ length: 200 }, anAddress);
    for (const email of known) await signUp(backend, { email });
    let turn = 0;
    await expectSameTime(
      () => signUp(backend, { email: known[turn++ % known.length] as string }),
      () => signUp(backend),
    );
  });

  test('whether an address to unsubscribe is known', async () => {
    const known = Array.from({ length: 200 }, anAddress);
    for (const email of known) await signUp(backend, { email });
    const unsubscribe = (email: string) =>
      backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    let turn = 0;
    await expectSameTime(
      () => unsubscribe(known[turn++ % known.length] as string),
      () => unsubscribe(anAddress()),
    );
  });

  test('whether the honeypot field was filled in', async () => {
    await expectSameTime(
      () => signUp(backend),
      () => backend.request('POST', '/api/waitlist', { json: { email: anAddress(), topic: 'Cheap watches' } }),
    );
  });
});
