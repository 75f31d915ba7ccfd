import {
  bearerTokenOf,
  findOperatorToken,
  networkOf,
  type OperatorToken,
  operatorNameMaxLength,
  operatorNamePattern,
} from '@daybook/server';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';

/** Rate limit: wrong tokens per network and minute. */
export const maxFailures = 10;

/** Networks counted within a minute: 100,000 take about 10 MB. */
export const maxNetworks = 100_000;

/** Networks remembered for a correct token. */
const maxKnown = 1_000;

const minute = 60_000;

/**
 * Counts wrong operator tokens by network and minute. Fails closed: while the table is full, a network that is not in
 * it has to wait, unless it sent a correct token before. So a flood from very many networks locks out neither active
 * operators nor Prometheus.
 */
export class FailedAttempts {
  readonly #known = new Set<string>();
  #failures = new Map<string, number>();
  #start = 0;

  /** Returns the seconds that this network has to wait; 0 if it may try a token. */
  waitOf(network: string): number {
    if (Date.now() - this.#start >= minute) {
      this.#start = Date.now();
      this.#failures = new Map();
    }
    const failures = this.#failures.get(network);
    const isCountable = failures !== undefined || this.#failures.size < maxNetworks || this.#known.has(network);
    if (isCountable && (failures ?? 0) < maxFailures) return 0;
    return Math.max(1, Math.ceil((this.#start + minute - Date.now()) / 1000));
  }

  count(network: string): void {
    this.#failures.set(network, (this.#failures.get(network) ?? 0) + 1);
  }

  remember(network: string): void {
    this.#known.delete(network);
    this.#known.add(network);
    const [oldest] = this.#known;
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }
}

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
  readonly #attempts = new FailedAttempts();

  constructor(tokens: readonly OperatorToken[]) {
    this.#tokens = tokens;
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
  nameOfPerson(request: FastifyRequest, token: string, formName: string): string {
    const { name } = this.#check(request, token);
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
  nameOfScript(request: FastifyRequest): string {
    return this.#check(request, bearerTokenOf(request.headers.authorization)).name ?? scriptName;
  }

  #check(request: FastifyRequest, sent: string): OperatorToken {
    const network = networkOf(request.ip);
    const wait = this.#attempts.waitOf(network);
    if (wait > 0) throw new AccessError(429, `Too many wrong operator tokens. Try again in ${wait} seconds.`, wait);
    const token = findOperatorToken(this.#tokens, sent);
    if (token) {
      this.#attempts.remember(network);
      return token;
    }
    this.#attempts.count(network);
    request.log.warn({ network }, `Rejected a wrong operator token from ${network}`);
    throw new AccessError(401, 'This is not an operator token.');
  }
}
