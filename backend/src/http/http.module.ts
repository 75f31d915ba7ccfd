import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ErrorResponseFilter } from './error-response.filter.ts';
import { RateLimitGuard } from './rate-limits.ts';
import { validationPipe } from './validation.ts';

/** What applies to every call. What Fastify has to do before Nest is in `server.ts`. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: RateLimitGuard },
    { provide: APP_PIPE, useFactory: validationPipe },
    { provide: APP_FILTER, useClass: ErrorResponseFilter },
  ],
})
export class HttpModule {}
