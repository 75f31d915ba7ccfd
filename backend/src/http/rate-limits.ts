import { customerNetworkOf, networkOf } from '@daybook/server';
import type { RateLimitOptions } from '@fastify/rate-limit';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Environment, environmentToken } from '../environment.ts';
import { TooManyRequestsError } from '../errors.ts';
import { Metrics } from '../metrics/index.ts';
import { parseBody } from './validation.ts';

/** In ms; starts with the first request of a network or email. */
const window = 60_000;

/** Max networks or emails that each limit counts, which bounds the memory. The least recently seen one is forgotten. */
const maxCounted = 25_000;

/** Limit of a customer's IPv6 network (/48), in limits of a /64: it has 65,536 of them. */
const customerShare = 4;

type LimitVariable = Extract<keyof Environment, `LIMIT_${string}`>;

/** Rate limits of a call, by the variables that set them. Calls that name the same one count together. */
export interface CallLimits {
  readonly network?: LimitVariable;
  /** Calls with one email, in any spelling. */
  readonly email?: LimitVariable;
  /** Calls of everybody; each kind of call counts alone. */
  readonly total?: LimitVariable;
}

/** Counts a request for a limit; throws if it exceeds the limit. Without a variable, there is no limit. */
type Check = (request: FastifyRequest, variable: LimitVariable | undefined) => Promise<void>;

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

const limitsOf = ({ routeOptions }: FastifyRequest): CallLimits => routeOptions.config?.limits ?? {};

/**
 * Counts requests by network before their body is read, validates the body, and counts by email and in total, so that
 * invalid requests use up nobody else's limit. Counts are this process's own.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly ofNetwork = this.checkBy(({ ip }) => networkOf(ip));
  private readonly ofCustomer = this.checkBy(({ ip }) => customerNetworkOf(ip), customerShare);
  private readonly ofEmail = this.checkBy(({ body }) => String((body as { email?: string }).email).toLowerCase());
  private readonly ofEverybody = this.checkBy(({ routeOptions }) => String(routeOptions.url));

  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(environmentToken) private readonly environment: Readonly<Record<LimitVariable, number>>,
    private readonly metrics: Metrics,
  ) {
    // Fastify parses the body before it calls Nest, whose guards see no malformed or unknown request.
    this.server.addHook('onRequest', async (request) => {
      const ofWrites = isRead(request) ? undefined : 'LIMIT_NETWORK_WRITES';
      for (const variable of [ofWrites, limitsOf(request).network] as const) {
        await this.ofNetwork(request, variable);
        await this.ofCustomer(request, variable);
      }
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { call, limits } = request.routeOptions.config;
    if (!call?.body) return true;
    parseBody(request, call.body);
    await this.ofEmail(request, limits?.email);
    await this.ofEverybody(request, limits?.total);
    return true;
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
