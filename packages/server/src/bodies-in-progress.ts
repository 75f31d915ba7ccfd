import type { IncomingMessage } from 'node:http';
import { customerNetworkOf, networkOf } from './ip-network.ts';
import { hasBody } from './request-checks.ts';

/**
 * Max bodies on their way at once from a network, and from a customer's whole IPv6 /48. A body takes milliseconds, so these
 * are far more than the people behind one IP address send, and far fewer than a server takes.
 */
const maxBodiesInProgress = { network: 16, customer: 48 } as const;

/**
 * Limits the incomplete bodies of each network, for servers that visitors reach without the edge: otherwise one client holds
 * all calls with bodies that never end.
 */
export class BodiesInProgress {
  readonly #counts = new Map<string, number>();

  /**
   * Counts a request until its body is complete or its connection closed.
   *
   * @param ip of the client
   * @returns whether its network has room for one more; always, if the request has no body
   */
  admit(ip: string, request: IncomingMessage): boolean {
    if (!hasBody(request.headers)) return true;
    const [network, customer] = [networkOf(ip), customerNetworkOf(ip)];
    const limits = new Map<string, number>([[customer, maxBodiesInProgress.customer]]);
    // An IPv4 address is both.
    limits.set(network, maxBodiesInProgress.network);
    for (const [key, max] of limits) if ((this.#counts.get(key) ?? 0) >= max) return false;
    for (const key of limits.keys()) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    request.once('close', () => {
      for (const key of limits.keys()) this.#release(key);
    });
    return true;
  }

  #release(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
