import {
  bearerTokenOf,
  findOperatorToken,
  networkOf,
  type OperatorToken,
  operatorNameMaxLength,
  operatorNamePattern,
  teamNamePrefix,
} from '@daybook/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { countWrongRequests } from '../network-limit.ts';
import { RequestError } from '../request-error.ts';

/** Rate limit: wrong tokens per network and minute. */
export const maxFailures = 10;

/** Presence of the name field in the sign-in form. */
export type NameField = 'required' | 'optional' | 'none';

/** Who has signed in. */
export interface SignedInOperator {
  /** The logged name. */
  readonly name: string;
  /** Name of the token; empty for the unnamed one, whose holders choose their names. */
  readonly tokenName: string;
}

const nameNeeded = 'Write your name; the log stores it with each change.';

/** Name of an operator with an unnamed token. */
const operatorNameSchema = z
  .string(nameNeeded)
  .trim()
  .min(1, nameNeeded)
  .max(operatorNameMaxLength, `Write a name of at most ${operatorNameMaxLength} characters.`)
  .regex(operatorNamePattern, `Write the name without control characters; “${teamNamePrefix}…” is a team.`);

/** Logged name of scripts with an unnamed token. */
export const scriptName = 'operator token';

/** Checks operator tokens. Sign-in and scripts share one rate limit for wrong tokens. */
export class OperatorAccess {
  readonly #tokens: readonly OperatorToken[];
  readonly #countWrongToken: ReturnType<typeof countWrongRequests>;

  /** @param app with the plugin `@fastify/rate-limit` */
  constructor(app: FastifyInstance, tokens: readonly OperatorToken[]) {
    this.#tokens = tokens;
    this.#countWrongToken = countWrongRequests(app, maxFailures);
  }

  /** Unnamed tokens need a name at sign-in. */
  get nameField(): NameField {
    const named = this.#tokens.filter(({ name }) => name !== undefined).length;
    if (named === 0) return 'required';
    return named < this.#tokens.length ? 'optional' : 'none';
  }

  /**
   * Returns who signs in: the logged name is that of the token, or else the one from the form.
   *
   * @throws RequestError
   */
  async identify(request: FastifyRequest, token: string, formName: string): Promise<SignedInOperator> {
    const { name } = await this.#check(request, token);
    if (name !== undefined) return { name, tokenName: name };
    const parsed = operatorNameSchema.safeParse(formName);
    if (parsed.success) return { name: parsed.data, tokenName: '' };
    throw new RequestError(400, parsed.error.issues[0]?.message ?? nameNeeded);
  }

  /**
   * Returns the logged name of a script, from a request with an `Authorization` header.
   *
   * @throws RequestError
   */
  async nameOfScript(request: FastifyRequest): Promise<string> {
    const { name } = await this.#check(request, bearerTokenOf(request.headers.authorization));
    return name ?? scriptName;
  }

  async #check(request: FastifyRequest, sent: string): Promise<OperatorToken> {
    const token = findOperatorToken(this.#tokens, sent);
    if (token) return token;
    const wait = await this.#countWrongToken(request);
    if (wait !== undefined)
      throw new RequestError(429, `Too many wrong operator tokens. Try again in ${wait} seconds.`, wait);
    const network = networkOf(request.ip);
    request.log.warn({ network }, `Rejected a wrong operator token from ${network}`);
    throw new RequestError(401, 'This is not an operator token.');
  }
}
