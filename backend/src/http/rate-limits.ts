import { customerNetworkOf, networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Environment, environmentToken } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import { parseBody } from './validation.ts';

/** In ms; starts with the first request of a network or email, and ends with all its counts. */
const window = 60_000;

/**
 * Max networks or emails that each limit counts; bounds the memory. Beyond, the least recently seen one is
 * forgotten, so that a flood from very many networks gets nobody else rejected.
 */
const maxCounted = 25_000;

/**
 * Limit of a customer's whole IPv6 network (/48), in limits of a /64: without it, one customer could use up the limit
 * for everybody with 65,536 networks of the size /64.
 */
const customerShare = 4;

type LimitVariable = Extract<keyof Environment, `LIMIT_${string}`>;

/** Rate limits of a call, by the variables that set them. Calls that name the same one count together. */
export interface CallLimits {
  /** Of a network. */
  readonly network?: LimitVariable;
  /** Of an email, in any spelling. */
  readonly email?: LimitVariable;
  /** Of everybody; each call counts alone. */
  readonly total?: LimitVariable;
}

/** Counts a request for a limit; throws if it exceeds the limit. Without a variable, there is no limit. */
type Check = (request: FastifyRequest, variable: LimitVariable | undefined) => Promise<void>;

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** Returns the data of a valid body; `undefined` if it is invalid, which the handler's pipe rejects with the reasons. */
function validBodyOf({ body, routeOptions: { config } }: FastifyRequest) {
  const schema = config.call?.body;
  return schema && (parseBody(body, schema).data as { readonly email?: string } | undefined);
}

const limitsOf = ({ routeOptions }: FastifyRequest): CallLimits => routeOptions.config?.limits ?? {};

/**
 * The rate limits. Requests are counted by network before their body is read, and by email and in total when they
 * are valid (`RateLimitGuard`): invalid ones cost little and use up nobody else's limit. A request that is rejected does
 * not count for the limits after it.
 *
 * Counts are this process's own: with two backends, each network can send twice as many.
 */
@Injectable()
export class RateLimits {
  private readonly ofNetwork = this.checkBy(({ ip }) => networkOf(ip));
  private readonly ofCustomer = this.checkBy(({ ip }) => customerNetworkOf(ip), customerShare);
  private readonly ofEmail = this.checkBy((request) => String(validBodyOf(request)?.email).toLowerCase());
  private readonly ofEverybody = this.checkBy(({ routeOptions }) => String(routeOptions.url));

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(environmentToken) private readonly environment: Readonly<Record<LimitVariable, number>>,
    private readonly metrics: Metrics,
  ) {
    // A hook instead of a guard: Fastify parses the body before it calls Nest, whose guards see no malformed or unknown request.
    this.server.addHook('onRequest', async (request) => {
      for (const variable of [
        isRead(request) ? undefined : 'LIMIT_NETWORK_WRITES',
        limitsOf(request).network,
      ] as const) {
        await this.ofNetwork(request, variable);
        // For IPv4, the same network with a higher limit, which is never reached.
        await this.ofCustomer(request, variable);
      }
    });
  }

  /** Counts a request with a valid body. @throws TooManyRequestsError */
  async checkValid(request: FastifyRequest): Promise<void> {
    const { email, total } = limitsOf(request);
    await this.ofEmail(request, email);
    await this.ofEverybody(request, total);
  }

  private get server(): FastifyInstance {
    return this.host.httpAdapter.getInstance<FastifyInstance>();
  }

  private checkBy(keyGenerator: (request: FastifyRequest) => string, share = 1): Check {
    const counters = new Map<LimitVariable, ReturnType<FastifyInstance['createRateLimit']>>();
    const counterOf = (variable: LimitVariable) => {
      const max = this.environment[variable] * share;
      const options: RateLimitOptions = { max, timeWindow: window, cache: maxCounted, keyGenerator };
      const counter = this.server.createRateLimit(options);
      counters.set(variable, counter);
      return counter;
    };
    return async (request, variable) => {
      if (variable === undefined) return;
      const result = await (counters.get(variable) ?? counterOf(variable))(request);
      if (result.isAllowed || !result.isExceeded) return;
      this.metrics.rateLimitHits.inc({ limit: variable.replace('LIMIT_', '').toLowerCase() });
      throw new TooManyRequestsError(Math.max(1, result.ttlInSeconds));
    };
  }
}

/** Counts valid requests, before the handler's pipes reject the invalid ones. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly limits: RateLimits) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (validBodyOf(request)) await this.limits.checkValid(request);
    return true;
  }
}
