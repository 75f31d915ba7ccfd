import autocannon, { type Request } from 'autocannon';
import type { Sample } from './comparison.ts';
import { cpuSeconds, residentMegabytes } from './process-use.ts';

/** A server under load; its process's use of the machine is measured. */
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
 * @returns requests per second, processor time in s per 1,000 requests, p99 of the latency in ms, memory in MB, and how
 * many requests had an answer
 * @throws Error where a response is missing or not 2xx: its figures would mean nothing
 */
export async function loadServer({ name, address, pid }: LoadedServer, load: HttpLoad) {
  const before = cpuSeconds(pid);
  const result = await autocannon({
    url: address,
    connections: load.connections,
    duration: load.seconds,
    sampleInt: 100,
    requests: [load.request],
  });
  const after = cpuSeconds(pid);
  const failed = result.errors + result.timeouts + result.non2xx;
  const answered = result['2xx'];
  if (failed > 0 || answered === 0) throw new Error(`${name}: ${failed} requests failed, ${answered} did not.`);
  const cpu = before === undefined || after === undefined ? undefined : ((after - before) / answered) * 1000;
  const perSecond = answered / result.duration;
  return { perSecond, cpu, p99: result.latency.p99, memory: residentMegabytes(pid), answered } satisfies Sample;
}
