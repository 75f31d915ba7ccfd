/// <reference path="./autocannon.d.ts" />
import autocannon, { type Request } from 'autocannon';

export interface HttpLoad {
  /** Origin of the server. */
  readonly origin: string;
  readonly connections: number;
  readonly seconds: number;
  /** What is asked for, over and over. */
  readonly request: Partial<Request>;
  /** The status that every answer has to have. */
  readonly expected: number;
}

export interface Answers {
  /** From request to answer, in ms; one for each answer. */
  readonly durations: readonly number[];
  readonly perSecond: number;
}

/**
 * Loads a server over a number of connections, each of which asks again once it has the answer.
 *
 * @throws Error where an answer has another status, or there is none
 */
export async function loadOverHttp({ origin, connections, seconds, request, expected }: HttpLoad): Promise<Answers> {
  const durations: number[] = [];
  const others = new Map<number, number>();
  const since = performance.now();
  let last = since;
  const load = autocannon({ url: origin, connections, duration: seconds, sampleInt: 100, requests: [request] });
  load.on('response', (_client, given, _bytes, duration) => {
    const status = Number(given);
    if (status !== expected) others.set(status, (others.get(status) ?? 0) + 1);
    durations.push(duration);
    last = performance.now();
  });
  const { errors } = await load;
  const asked = `${request.method} ${origin}${request.path}`;
  if (errors > 0 || others.size > 0) {
    const answers = [...others].map(([status, count]) => `${count} were answered with ${status}`);
    throw new Error(`${asked} failed under load: ${[`${errors} had no answer`, ...answers].join(', ')}.`);
  }
  if (durations.length === 0) throw new Error(`${asked} had no answer within ${seconds} s.`);
  return { durations, perSecond: durations.length / ((last - since) / 1000) };
}
