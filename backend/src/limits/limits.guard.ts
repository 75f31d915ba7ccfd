import { hash } from 'node:crypto';
import { deriveKey } from '@daybook/server';
import type { ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerRequest } from '@nestjs/throttler';
import type { Environment } from '../environment.ts';
import type { Metrics } from '../metrics/index.ts';
import { ProofOfWorkRequiredError, TooManyRequestsError } from './limits.errors.ts';
import { canShowWork, requestOf, throttlersOf } from './limits.ts';
import type { ProofOfWork } from './proof-of-work.ts';
import type { SharedCounts } from './shared-counts.ts';

/** Stands before every call of the API, and refuses what is beyond the limits of the environment. */
export class LimitsGuard extends ThrottlerGuard {
  private readonly secret: string;

  constructor(
    environment: Environment,
    counts: SharedCounts,
    private readonly work: ProofOfWork,
    private readonly metrics: Metrics,
    reflector: Reflector,
  ) {
    const keyOf = (_context: ExecutionContext, counted: string, limit: string) => this.keyOf(limit, counted);
    super({ throttlers: throttlersOf(environment), generateKey: keyOf, setHeaders: false }, counts, reflector);
    this.secret = deriveKey(environment.COOKIE_SECRET[0] ?? '', 'rate limit key').toString('base64url');
  }

  /** As the throttler does it, without looking for decorators that set other limits for a call: there are none. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    for (const throttler of this.throttlers) {
      const { limit, ttl, skipIf, getTracker } = throttler;
      const { generateKey } = this.commonOptions;
      if (typeof limit !== 'number' || typeof ttl !== 'number' || !getTracker || !generateKey) return false;
      if (skipIf?.(context)) continue;
      await this.handleRequest({ context, limit, ttl, throttler, blockDuration: ttl, getTracker, generateKey });
    }
    return true;
  }

  protected override async handleRequest(limited: ThrottlerRequest): Promise<boolean> {
    const request = requestOf(limited.context);
    try {
      return await super.handleRequest(limited);
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error;
      const limit = limited.throttler.name ?? '';
      const mayWork = canShowWork(limit, request);
      if (mayWork && (await this.work.isShownBy(request.body))) return true;
      this.metrics.countRateLimitHit(limit);
      throw mayWork ? new ProofOfWorkRequiredError(error.retryAfter, this.work.challenge()) : error;
    }
  }

  protected override async throwThrottlingException(
    _context: ExecutionContext,
    { timeToBlockExpire }: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new TooManyRequestsError(timeToBlockExpire);
  }

  /**
   * Neither networks nor e-mail addresses are kept as they are: without the secret, nobody can try them out. An HMAC
   * would do no more here, where nothing is signed and half of the hash is kept, and takes four times as long.
   */
  private keyOf(limit: string, counted: string): string {
    return hash('sha256', `${this.secret}\n${limit}\n${counted}`, 'base64url').slice(0, 22);
  }
}
