import { bearerTokenOf, networkOf } from '@daybook/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { countWrongRequests } from '../network-limit.ts';
import { ReleasesError } from './errors.ts';
import type { TokenHolder, Tokens } from './tokens.ts';

/** Rate limit: wrong tokens per network and minute. */
export const maxWrongTokens = 10;

export class Callers {
  readonly #tokens: Tokens;
  readonly #countWrong: ReturnType<typeof countWrongRequests>;

  constructor(app: FastifyInstance, tokens: Tokens) {
    this.#tokens = tokens;
    this.#countWrong = countWrongRequests(app, maxWrongTokens);
  }

  /** @throws ReleasesError 401 or 429 */
  async identify(request: FastifyRequest, token = bearerTokenOf(request.headers.authorization)): Promise<TokenHolder> {
    // It may have been added a moment ago.
    if (token !== '' && !this.#tokens.find(token)) this.#tokens.refresh((problem) => request.log.error(problem));
    const holder = this.#tokens.find(token);
    if (holder) return holder;
    const wait = token === '' ? undefined : await this.#countWrong(request);
    if (wait !== undefined) throw new ReleasesError(429, `Too many wrong tokens. Try again in ${wait} seconds.`, wait);
    const network = networkOf(request.ip);
    if (token !== '') request.log.warn({ network }, `Rejected a wrong token from ${network}`);
    throw new ReleasesError(
      401,
      token === '' ? 'Send a token: Authorization: Bearer <token>.' : 'The site does not know this token.',
    );
  }

  /** @throws ReleasesError if the site lacks a remote, or the token is not for it */
  check({ remotes }: TokenHolder, remote: string): void {
    if (remotes !== '*' && !remotes.includes(remote))
      throw new ReleasesError(403, `This token is for ${remotes.join(', ')}, not for ${remote}.`);
    if (!this.#tokens.remotes.includes(remote))
      throw new ReleasesError(404, `The site has no remote ${remote}; it has ${this.#tokens.remotes.join(', ')}.`);
  }

  remotesOf({ remotes }: TokenHolder): readonly string[] {
    return this.#tokens.remotes.filter((each) => remotes === '*' || remotes.includes(each));
  }
}
