import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

/** Whether there is a wrk on this machine; it has no way to ask for its version that ends well. */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v']).error === undefined;

export interface WrkLoad {
  /** What is asked for. */
  readonly address: string;
  readonly connections: number;
  readonly seconds: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WrkResult {
  readonly answers: number;
  readonly perSecond: number;
  /** 99th percentile from request to answer, in ms. */
  readonly p99: number;
}

const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

/**
 * Reads what wrk has written.
 *
 * @throws Error where an answer was a failure, there was none, or the text is another than expected
 */
export function readWrk(text: string): WrkResult {
  const failed = /^\s*(?:Socket errors: .*|Non-2xx or 3xx responses: .*)$/m.exec(text)?.[0];
  if (failed) throw new Error(`The load of wrk failed: ${failed.trim()}`);
  const [, answers] = /^\s*(\d+) requests in /m.exec(text) ?? [];
  const [, perSecond] = /^Requests\/sec:\s+([\d.]+)$/m.exec(text) ?? [];
  const [, p99, unit = ''] = /^\s*99%\s+([\d.]+)(us|ms|s|m)$/m.exec(text) ?? [];
  const factor = milliseconds[unit];
  if (!Number(answers) || !Number(perSecond) || factor === undefined)
    throw new Error(`wrk had no answer, or says it in another way than expected:\n${text}`);
  return { answers: Number(answers), perSecond: Number(perSecond), p99: Number(p99) * factor };
}

/** Loads a server from one thread, over connections that each ask again once they have the answer; needs `hasWrk`. */
export async function loadByWrk({ address, connections, seconds, headers }: WrkLoad): Promise<WrkResult> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const numbers = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`];
  const { stdout } = await promisify(execFile)('wrk', [...numbers, '--latency', ...given, address]);
  return readWrk(stdout);
}
