import autocannon, { type Request } from 'autocannon';
import pidusage from 'pidusage';
import type { Sample } from './comparison.ts';

export interface LoadedServer {
  readonly name: string;
  readonly address: string;
  readonly pid: number;
}

export interface HttpLoad {
  readonly connections: number;
  readonly seconds: number;
  readonly request: Request;
}

/**
 * Loads a server over a number of connections, each of which sends its next request after the response.
 *
 * @returns requests per second, CPU time of the server's process in s per 1,000 requests, p99 of the latency in ms, its
 * memory in MB, and how many requests had an answer
 * @throws Error where a response is missing or not 2xx: its figures would mean nothing
 */
export async function loadServer({ name, address, pid }: LoadedServer, { connections, seconds, request }: HttpLoad) {
  const before = await pidusage(pid);
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    sampleInt: 100,
    requests: [request],
  });
  const { ctime, memory } = await pidusage(pid);
  const failed = result.errors + result.timeouts + result.non2xx;
  const answered = result['2xx'];
  if (failed > 0 || answered === 0) throw new Error(`${name}: ${failed} requests failed, ${answered} did not.`);
  return {
    perSecond: answered / result.duration,
    cpu: (ctime - before.ctime) / answered,
    p99: result.latency.p99,
    memory: memory / 1e6,
    answered,
  } satisfies Sample;
}
