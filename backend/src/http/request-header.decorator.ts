import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** A header field of the request, by its name in lower case. Unlike Nest's `Headers`, accepts a schema. */
export const RequestHeader = createParamDecorator(
  (name: string, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().headers[name],
);
