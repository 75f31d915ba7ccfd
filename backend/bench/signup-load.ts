/// <reference path="../../bench/autocannon.d.ts" />
import type { Request } from 'autocannon';
import { loadOverHttp } from '../../bench/http-load.ts';
import { quantile } from '../../bench/statistics.ts';

export interface LoadOptions {
  /** Address of the server. */
  readonly address: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  /** Signups answered with 201. */
  readonly signups: number;
  readonly perSecond: number;
  /** From request to answer, in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Client networks that take part, as the proxies in front tell them. */
const networks = 10_000;

/** No two signups of a run have the same address. */
let visitors = 0;

/** A signup as the shell server passes it on. */
function nextRequest(template: Request): Request {
  const visitor = ++visitors;
  const network = visitor % networks;
  return {
    ...template,
    headers: {
      ...template.headers,
      'x-forwarded-for': `10.${network >> 8}.${network & 255}.7`,
      'x-request-id': visitor.toString(36).padStart(12, '0'),
    },
    body: `{"email":"visitor${process.pid}.${visitor}@example.com"}`,
  };
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-language': 'en-US,en;q=0.9',
  origin: 'https://daybook.example',
  'user-agent':
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
  'x-forwarded-host': 'daybook.example',
  'x-forwarded-proto': 'https',
};

/**
 * Signs visitors up, over a number of connections that each send the next signup once the one before is answered.
 *
 * @throws Error where an answer is anything but 201
 */
export async function signUpVisitors({ address, connections, seconds }: LoadOptions): Promise<LoadResult> {
  const request = { method: 'POST', path: '/api/waitlist', headers, setupRequest: nextRequest } as const;
  const { durations, perSecond } = await loadOverHttp({
    origin: address,
    connections,
    seconds,
    request,
    expected: 201,
  });
  return {
    signups: durations.length,
    perSecond,
    p50: quantile(durations, 0.5),
    p99: quantile(durations, 0.99),
  };
}
