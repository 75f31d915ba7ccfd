import { loadOverHttp } from '../http-load.ts';
import { cpuSecondsWithChildren } from '../process-use.ts';
import type { Sample } from '../rounds.ts';
import { quantile } from '../statistics.ts';

/** A server under load. */
export interface LoadedServer {
  readonly name: string;
  /** What is asked for. */
  readonly address: string;
  /** Its process, whose children count as well. */
  readonly pid: number;
}

const connections = 32;

/**
 * Asks a server for one address, over several connections that each ask again once they have the answer.
 *
 * @returns requests a second, requests for a second of a core's time (where this machine tells it), and the 99th
 * percentile from request to answer in ms
 * @throws Error where an answer is anything but 200, or there is none
 */
export async function loadServer({ address, pid }: LoadedServer, seconds: number): Promise<Sample> {
  const { pathname, origin } = new URL(address);
  const request = { method: 'GET', path: pathname, headers: { 'accept-encoding': 'br, gzip' } } as const;
  const cpuBefore = cpuSecondsWithChildren(pid);
  const { durations, perSecond } = await loadOverHttp({ origin, connections, seconds, request, expected: 200 });
  const cpuAfter = cpuSecondsWithChildren(pid);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? 0 : cpuAfter - cpuBefore;
  const perCore = cpu > 0 ? { perCore: durations.length / cpu } : {};
  return { perSecond, ...perCore, p99: quantile(durations, 0.99) };
}
