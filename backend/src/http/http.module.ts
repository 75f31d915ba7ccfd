import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { MetricsModule } from '../metrics/index.ts';
import { ErrorResponseFilter } from './error-response.filter.ts';
import { RateLimitGuard, RateLimits } from './rate-limits.ts';
import { validationPipe } from './validation.ts';

/** What applies to every call. What Fastify has to do before Nest is in `server.ts`. */
@Module({
  imports: [MetricsModule],
  providers: [
    RateLimits,
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_PIPE, useFactory: validationPipe },
    { provide: APP_FILTER, useClass: ErrorResponseFilter },
  ],
})
export class HttpModule {}
