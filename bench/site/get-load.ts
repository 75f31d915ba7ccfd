/// <reference path="../autocannon.d.ts" />
import autocannon from 'autocannon';
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
export async function loadServer({ name, address, pid }: LoadedServer, seconds: number): Promise<Sample> {
  const durations: number[] = [];
  let others = 0;
  const { pathname, origin } = new URL(address);
  const cpuBefore = cpuSecondsWithChildren(pid);
  const since = performance.now();
  let last = since;
  const load = autocannon({
    url: origin,
    connections,
    duration: seconds,
    sampleInt: 100,
    requests: [{ method: 'GET', path: pathname, headers: { 'accept-encoding': 'br, gzip' } }],
  });
  load.on('response', (_client, status, _bytes, duration) => {
    if (Number(status) !== 200) others += 1;
    durations.push(duration);
    last = performance.now();
  });
  const { errors } = await load;
  if (errors > 0 || others > 0)
    throw new Error(`${name} did not serve ${address}: ${errors} requests had no answer, ${others} another than 200.`);
  if (durations.length === 0) throw new Error(`${name} answered nothing at ${address} within ${seconds} s.`);
  const cpuAfter = cpuSecondsWithChildren(pid);
  const cpu = cpuBefore === undefined || cpuAfter === undefined ? 0 : cpuAfter - cpuBefore;
  const perCore = cpu > 0 ? { perCore: durations.length / cpu } : {};
  return { perSecond: durations.length / ((last - since) / 1000), ...perCore, p99: quantile(durations, 0.99) };
}
