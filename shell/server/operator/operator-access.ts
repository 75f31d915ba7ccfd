import {
  bearerTokenOf,
  findOperatorToken,
  networkOf,
  type OperatorToken,
  operatorNameMaxLength,
  operatorNamePattern,
} from '@daybook/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { limitByNetwork } from '../network-limit.ts';

/** Rate limit: wrong tokens per network and minute. */
export const maxFailures = 10;

/** Presence of the name field in the sign-in form. */
export type NameField = 'required' | 'optional' | 'none';

/** Thrown for a rejected request, with the status of its response. */
export class AccessError extends Error {
  override readonly name = 'AccessError';

  readonly statusCode: 400 | 401 | 429;
  /** In seconds; only with 429. */
  readonly retryAfter: number | undefined;

  constructor(statusCode: 400 | 401 | 429, message: string, retryAfter?: number) {
    super(message);
    this.statusCode = statusCode;
    this.retryAfter = retryAfter;
  }
}

const nameNeeded = 'Write your name; the log stores it with each change.';

/** Name of an operator with an unnamed token. */
const operatorNameSchema = z
  .string(nameNeeded)
  .trim()
  .min(1, nameNeeded)
  .max(operatorNameMaxLength, `Write a name of at most ${operatorNameMaxLength} characters.`)
  .regex(operatorNamePattern, 'Write the name without control characters.');

/** Logged name of scripts with an unnamed token. */
const scriptName = 'operator token';

/** Checks operator tokens. Sign-in, scripts and metrics share one rate limit for wrong tokens. */
export class OperatorAccess {
  readonly #tokens: readonly OperatorToken[];
  readonly #wrongTokens: ReturnType<typeof limitByNetwork>;

  /** @param app with the plugin `@fastify/rate-limit` */
  constructor(app: FastifyInstance, tokens: readonly OperatorToken[]) {
    this.#tokens = tokens;
    this.#wrongTokens = limitByNetwork(app, maxFailures);
  }

  /** Unnamed tokens need a name at sign-in. */
  get nameField(): NameField {
    const named = this.#tokens.filter(({ name }) => name !== undefined).length;
    if (named === 0) return 'required';
    return named < this.#tokens.length ? 'optional' : 'none';
  }

  /**
   * Returns the logged name of a person: that of the token, or else the one from the form.
   *
   * @throws AccessError
   */
  async nameOfPerson(request: FastifyRequest, token: string, formName: string): Promise<string> {
    const { name } = await this.#check(request, token);
    if (name !== undefined) return name;
    const parsed = operatorNameSchema.safeParse(formName);
    if (parsed.success) return parsed.data;
    throw new AccessError(400, parsed.error.issues[0]?.message ?? nameNeeded);
  }

  /**
   * Returns the logged name of a script, from a request with an `Authorization` header.
   *
   * @throws AccessError
   */
  async nameOfScript(request: FastifyRequest): Promise<string> {
    const { name } = await this.#check(request, bearerTokenOf(request.headers.authorization));
    return name ?? scriptName;
  }

  async #check(request: FastifyRequest, sent: string): Promise<OperatorToken> {
    const wait = await this.#wrongTokens.waitOf(request);
    if (wait !== undefined)
      throw new AccessError(429, `Too many wrong operator tokens. Try again in ${wait} seconds.`, wait);
    const token = findOperatorToken(this.#tokens, sent);
    if (token) return token;
    await this.#wrongTokens.count(request);
    const network = networkOf(request.ip);
    request.log.warn({ network }, `Rejected a wrong operator token from ${network}`);
    throw new AccessError(401, 'This is not an operator token.');
  }
}
