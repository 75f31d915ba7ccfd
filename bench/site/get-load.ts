import { loadOverHttp } from '../http-load.ts';
import { cpuSecondsWithChildren } from '../process-use.ts';
import type { Sample } from '../rounds.ts';
import { quantile } from '../statistics.ts';
import { hasWrk, loadByWrk, type WrkResult } from './wrk.ts';

/** A server under load. */
export interface LoadedServer {
  readonly name: string;
  /** What is asked for. */
  readonly address: string;
  /** Its process, whose children count as well. */
  readonly pid: number;
}

const connections = 32;
const headers = { 'accept-encoding': 'br, gzip' };

/** By autocannon, in this process. */
async function loadByAutocannon(address: string, seconds: number): Promise<WrkResult> {
  const { pathname, origin } = new URL(address);
  const request = { method: 'GET', path: pathname, headers } as const;
  const { durations, perSecond } = await loadOverHttp({ origin, connections, seconds, request, expected: 200 });
  return { answers: durations.length, perSecond, p99: quantile(durations, 0.99) };
}

/**
 * Asks a server for one address, over several connections that each ask again once they have the answer; by wrk where
 * it is installed, since autocannon takes longer to ask than a fast server to answer.
 *
 * @returns requests a second, requests for a second of a core's time (where this machine tells it), and the 99th
 * percentile from request to answer in ms
 * @throws Error where an answer is an error, or there is none
 */
export async function loadServer({ address, pid }: LoadedServer, seconds: number): Promise<Sample> {
  const cpuBefore = cpuSecondsWithChildren(pid);
  const { answers, perSecond, p99 } = hasWrk()
    ? await loadByWrk({ address, connections, seconds, headers })
    : await loadByAutocannon(address, seconds);
  const cpuAfter = cpuSecondsWithChildren(pid);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? 0 : cpuAfter - cpuBefore;
  const perCore = cpu > 0 ? { perCore: answers / cpu } : {};
  return { perSecond, ...perCore, p99 };
}
