import { bearerTokenOf, findOperatorToken, networkOf, type OperatorToken } from '@daybook/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countWrongRequests } from '../network-limit.ts';
import { RequestError } from '../request-error.ts';

/** Rate limit: wrong tokens per network and minute. */
export const maxFailures = 10;

/** Logged name of scripts with an unnamed token. */
export const scriptName = 'operator token';

/** Checks operator tokens. The page and the API share one rate limit for wrong tokens. */
export class OperatorAccess {
  readonly #tokens: readonly OperatorToken[];
  readonly #countWrongToken: ReturnType<typeof countWrongRequests>;

  /** @param app with the plugin `@fastify/rate-limit` */
  constructor(app: FastifyInstance, tokens: readonly OperatorToken[]) {
    this.#tokens = tokens;
    this.#countWrongToken = countWrongRequests(app, maxFailures);
  }

  /**
   * Returns the logged name of a script, from a request with an `Authorization` header.
   *
   * @throws RequestError
   */
  async nameOfScript(request: FastifyRequest): Promise<string> {
    const { name } = await this.check(request, bearerTokenOf(request.headers.authorization));
    return name ?? scriptName;
  }

  /** @throws RequestError if it is no operator's token */
  async check(request: FastifyRequest, sent: string): Promise<OperatorToken> {
    const token = findOperatorToken(this.#tokens, sent);
    if (token) return token;
    // A browser's first request has no token yet.
    const wait = sent === '' ? undefined : await this.#countWrongToken(request);
    if (wait !== undefined)
      throw new RequestError(429, `Too many wrong operator tokens. Try again in ${wait} seconds.`, wait);
    const network = networkOf(request.ip);
    if (sent !== '') request.log.warn({ network }, `Rejected a wrong operator token from ${network}`);
    throw new RequestError(401, 'This is not an operator token.');
  }
}
