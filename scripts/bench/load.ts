import { Agent, type RequestOptions, request } from 'node:http';
import pidusage from 'pidusage';
import type { Sample } from './comparison.ts';

export interface LoadedServer {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
}

export type MakeRequest = () => RequestOptions & { readonly body?: string };

/** Sends a request, reads the response; returns its status. */
function send(url: string, agent: Agent, { body, ...options }: ReturnType<MakeRequest>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { agent, ...options }, (response) => {
    response.resume().on('error', reject);
    response.on('end', () => resolve(response.statusCode ?? 0));
  })
    .on('error', reject)
    .end(body);
  return promise;
}

/**
 * Loads a server over several connections. Returns requests per second, CPU time of its process in s per 1,000 requests,
 * the p99 of the latency in ms, its memory in MB, and the number of requests, of which none may fail.
 */
export async function loadServer(server: LoadedServer, connections: number, seconds: number, make: MakeRequest) {
  const before = await pidusage(server.pid);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let failed = 0;
  const start = performance.now();
  const end = start + seconds * 1_000;
  const connection = async () => {
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await send(server.url, agent, make()).catch(() => 0);
      if (status >= 200 && status < 300) latencies.push(performance.now() - sent);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const duration = (performance.now() - start) / 1_000;
  agent.destroy();
  const { ctime, memory } = await pidusage(server.pid);
  const succeeded = latencies.length;
  if (failed > 0 || succeeded === 0)
    throw new Error(`${server.name}: ${failed} of ${failed + succeeded} requests failed.`);
  const p99 = latencies.sort((a, b) => a - b)[Math.floor(succeeded * 0.99)];
  const cpu = (ctime - before.ctime) / succeeded;
  return { perSecond: succeeded / duration, cpu, p99, memory: memory / 1e6, succeeded } satisfies Sample;
}
