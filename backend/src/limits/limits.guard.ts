import { hash } from 'node:crypto';
import { type ApiCall, makePrivacyRequest, normalizeEmailAddress, waitlistCalls } from '@daybook/contract/api';
import { deriveKey, networkOf } from '@daybook/server';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { Fifo } from 'toad-cache';
import { type Environment, environmentToken } from '../environment.ts';
import { ExpectedError } from '../errors.ts';
import { Metrics } from '../metrics.ts';
import { SharedCounts } from './shared-counts.ts';

/** A rate limit is exceeded: for one network, for one address, or in total. */
export class TooManyRequestsError extends ExpectedError {
  /** @param retryAfter seconds until one more is accepted */
  constructor(retryAfter: number) {
    const wait = retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
    super('TOO_MANY_REQUESTS', `There were too many requests at once. Please try again in ${wait}.`, retryAfter);
  }
}

type LimitVariable = `LIMIT_${string}` & keyof Environment;

/** The calls that create rows; all other writes need the id of an existing row. */
const creatingCalls: readonly ApiCall[] = [waitlistCalls.signUp, waitlistCalls.sendEmergencyNotice, makePrivacyRequest];

/**
 * Returns the address in a body that is not validated yet, in lower case, because nearly every mail server ignores
 * case. Returns `undefined` without an address that could be stored.
 */
function addressIn({ body }: FastifyRequest): string | undefined {
  if (typeof body !== 'object' || body === null || !('email' in body)) return undefined;
  return typeof body.email === 'string' && body.email.length <= 1024
    ? normalizeEmailAddress(body.email).toLowerCase()
    : undefined;
}

const isCallOf = ({ method, routeOptions }: FastifyRequest, call: ApiCall) =>
  method === call.method && routeOptions.url === call.path;

/** Returns what is the same for all retries of a signup, and for nothing else; `undefined` without idempotency key. */
function signupOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return key !== undefined && isCallOf(request, waitlistCalls.signUp) ? `${key}\n${addressIn(request)}` : undefined;
}

/**
 * Yields the limits that apply to a request, with the value to count by, in the order of the checks: a rejected request
 * does not count for the limits after it. Of a retry, only the write counts: it creates no second entry, and a visitor
 * whose browser retries during an outage must not exceed a limit by that.
 */
function* limitsOf(request: FastifyRequest, isRetry: boolean): Generator<readonly [LimitVariable, string]> {
  const { method, routeOptions, ip } = request;
  const network = networkOf(ip);
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') yield ['LIMIT_NETWORK_WRITES', network];
  if (routeOptions.url === waitlistCalls.findByEmail.path) yield ['LIMIT_NETWORK_LOOKUPS', network];
  if (isRetry || !creatingCalls.some((call) => isCallOf(request, call))) return;
  yield ['LIMIT_NETWORK_SIGNUPS', network];
  const address = addressIn(request);
  if (address !== undefined) yield ['LIMIT_ADDRESS_SIGNUPS', address];
  yield ['LIMIT_GLOBAL_SIGNUPS', routeOptions.url ?? ''];
}

/** Max signups that are remembered as counted, which bounds the memory: retries follow within 20 seconds. */
const maxRemembered = 20_000;

/** Returns the metric label of a limit, such as `network_writes`. */
const labelOf = (variable: LimitVariable) => variable.replace('LIMIT_', '').toLowerCase();

/** Rejects requests that exceed a rate limit, before any handler runs. */
@Injectable()
class LimitsGuard implements CanActivate {
  private readonly secret: string;
  private readonly countedSignups = new Fifo<true>(maxRemembered);

  constructor(
    @Inject(environmentToken) private readonly environment: Environment,
    private readonly counts: SharedCounts,
    private readonly metrics: Metrics,
  ) {
    this.secret = deriveKey(environment.COOKIE_SECRET[0] ?? '', 'rate limit key').toString('base64url');
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const signup = signupOf(request);
    const signupKey = signup && this.keyOf('signup', signup);
    const isRetry = signupKey !== undefined && this.countedSignups.get(signupKey) === true;
    for (const [variable, counted] of limitsOf(request, isRetry)) {
      const wait = this.counts.add(this.keyOf(labelOf(variable), counted), this.environment[variable]);
      if (wait === 0) continue;
      this.metrics.rateLimitHits.inc({ limit: labelOf(variable) });
      throw new TooManyRequestsError(Math.ceil(wait / 1000));
    }
    if (signupKey !== undefined && !isRetry) this.countedSignups.set(signupKey, true);
    return true;
  }

  /** Networks and addresses are stored as keyed hashes: without the secret, hashes of guesses match none of them. */
  private keyOf(limit: string, counted: string): string {
    return hash('sha256', `${this.secret}\n${limit}\n${counted}`, 'base64url').slice(0, 22);
  }
}

/** Applies the rate limits to every call. */
@Module({ providers: [SharedCounts, { provide: APP_GUARD, useClass: LimitsGuard }] })
export class LimitsModule {}
