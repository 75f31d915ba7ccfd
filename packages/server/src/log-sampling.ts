import type { FastifyRequest } from 'fastify';
import { customerNetworkOf } from './ip-network.ts';

/** Error responses to one network within a minute that are logged in full; of those beyond, one in a hundred is. */
const maxInFull = 60;
const share = 100;

/** Max characters of a message: errors can quote what a stranger sent. */
const maxMessage = 1_000;

/** Bounds the memory; beyond, all networks are counted anew. */
const maxNetworks = 20_000;

/**
 * Counts the error responses of each network, because strangers can cause any number of them at no cost, and would push all
 * other lines out of the log. A network is an IPv4 address or an IPv6 /48.
 */
export class LogSampler {
  readonly #counts = new Map<string, number>();
  #minute = 0;

  /**
   * Counts an error response.
   *
   * @param now in ms
   * @returns the number of responses that its line stands for: 1, 100, or 0 if it must not be logged
   */
  weightOf(network: string, now = Date.now()): number {
    const minute = Math.floor(now / 60_000);
    if (minute !== this.#minute || this.#counts.size >= maxNetworks) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(network) ?? 0) + 1;
    this.#counts.set(network, count);
    if (count <= maxInFull) return 1;
    return (count - maxInFull) % share === 0 ? share : 0;
  }
}

const sampler = new LogSampler();
const weights = new WeakMap<FastifyRequest, number>();

/**
 * Response header with which the edge learns how many requests its own line stands for. Only error responses have it.
 */
export const logWeightHeader = 'x-log-weight';

/**
 * Returns the number of error responses that all lines about this request stand for; 0 if there must be none.
 *
 * @param isFailure whether the server failed, not the client. Counted apart: somebody who sends wrong requests would
 *   otherwise hide the failures that they or others behind the same IP address cause
 */
export function logWeightOf(request: FastifyRequest, isFailure: boolean): number {
  // Null if a body was left before its end: the IP address cannot be read then, and the response must not fail.
  const socket: unknown = request.raw.socket;
  const network = customerNetworkOf(socket === null ? undefined : request.ip);
  const weight = weights.get(request) ?? sampler.weightOf(isFailure ? `failures ${network}` : network);
  weights.set(request, weight);
  return weight;
}

/** Logs a line about an error response, unless it is one of too many to the same network. */
export function logErrorResponse(
  request: FastifyRequest,
  level: 'info' | 'warn' | 'error',
  fields: object,
  message: string,
): void {
  const weight = logWeightOf(request, level === 'error');
  if (weight > 0) request.log[level](weight === 1 ? fields : { ...fields, weight }, message.slice(0, maxMessage));
}
