import { hash } from 'node:crypto';
import { type ApiCall, makePrivacyRequest, normalizeEmailAddress, waitlistCalls } from '@daybook/contract';
import { deriveKey, networkOf } from '@daybook/server';
import { type CanActivate, type DynamicModule, type ExecutionContext, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '../environment.ts';
import { ExpectedError } from '../errors.ts';
import { Metrics } from '../metrics.ts';
import { SharedCounts } from './shared-counts.ts';

/** More requests than people make came from one network, with one address, or in all. */
export class TooManyRequestsError extends ExpectedError {
  /** @param retryAfter seconds until one more is accepted */
  constructor(retryAfter: number) {
    const wait = retryAfter === 1 ? 'a second' : `${retryAfter} seconds`;
    super('TOO_MANY_REQUESTS', `There were too many requests at once. Please try again in ${wait}.`, retryAfter);
  }
}

interface Limit {
  readonly variable: `LIMIT_${string}` & keyof Environment;
  /** Returns what a request is counted by; `undefined` for requests that the limit does not apply to. */
  readonly countedBy: (request: FastifyRequest) => string | undefined;
}

const network = ({ ip }: FastifyRequest) => networkOf(ip);

const isWrite = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
const isLookup = ({ routeOptions }: FastifyRequest) => routeOptions.url === waitlistCalls.findByEmail.path;

/** The calls that create rows; all other writes need the id of a row. */
const creatingCalls: readonly ApiCall[] = [waitlistCalls.signUp, waitlistCalls.sendEmergencyNotice, makePrivacyRequest];
const creates = ({ method, routeOptions }: FastifyRequest) =>
  creatingCalls.some((call) => method === call.method && routeOptions.url === call.path);

/**
 * Returns the address in a body that has not been validated yet, in lower case: nearly every mail server takes all
 * spellings for one mailbox. `undefined` without an address that could be stored.
 */
function addressIn({ body }: FastifyRequest): string | undefined {
  if (typeof body !== 'object' || body === null || !('email' in body)) return undefined;
  return typeof body.email === 'string' && body.email.length <= 1024
    ? normalizeEmailAddress(body.email).toLowerCase()
    : undefined;
}

/** In the order in which they are checked: what one rejects does not count for those after it. */
const limits: readonly Limit[] = [
  { variable: 'LIMIT_NETWORK_WRITES', countedBy: (request) => (isWrite(request) ? network(request) : undefined) },
  { variable: 'LIMIT_NETWORK_SIGNUPS', countedBy: (request) => (creates(request) ? network(request) : undefined) },
  { variable: 'LIMIT_NETWORK_LOOKUPS', countedBy: (request) => (isLookup(request) ? network(request) : undefined) },
  { variable: 'LIMIT_ADDRESS_SIGNUPS', countedBy: (request) => (creates(request) ? addressIn(request) : undefined) },
  {
    variable: 'LIMIT_GLOBAL_SIGNUPS',
    countedBy: (request) => (creates(request) ? request.routeOptions.url : undefined),
  },
];

/** The label of a limit's metric: `network_writes`. */
const labelOf = ({ variable }: Limit) => variable.replace('LIMIT_', '').toLowerCase();

/** Rejects requests beyond the limits of the environment, before any call of the API. */
export class LimitsGuard implements CanActivate {
  private readonly secret: string;

  constructor(
    private readonly environment: Environment,
    private readonly counts: SharedCounts,
    private readonly metrics: Metrics,
  ) {
    this.secret = deriveKey(environment.COOKIE_SECRET[0] ?? '', 'rate limit key').toString('base64url');
  }

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    for (const limit of limits) {
      const counted = limit.countedBy(request);
      if (counted === undefined) continue;
      const wait = this.counts.add(this.keyOf(labelOf(limit), counted), this.environment[limit.variable]);
      if (wait === 0) continue;
      this.metrics.countRateLimitHit(labelOf(limit));
      throw new TooManyRequestsError(Math.ceil(wait / 1000));
    }
    return true;
  }

  /** Networks and addresses are stored as keyed hashes: without the secret, nobody can try them out. */
  private keyOf(limit: string, counted: string): string {
    return hash('sha256', `${this.secret}\n${limit}\n${counted}`, 'base64url').slice(0, 22);
  }
}

@Module({ providers: [SharedCounts] })
class LimitsModule {}

/** Applies the limits of the environment to every call. */
export const limitsModule = (environment: Environment): DynamicModule => ({
  module: LimitsModule,
  providers: [
    {
      provide: APP_GUARD,
      inject: [SharedCounts, Metrics],
      useFactory: (counts: SharedCounts, metrics: Metrics) => new LimitsGuard(environment, counts, metrics),
    },
  ],
});
