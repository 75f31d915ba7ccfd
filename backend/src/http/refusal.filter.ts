import { types } from 'node:util';
import type { ErrorBody } from '@daybook/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExpectedError } from '../errors.ts';
import { refusalOf } from './refusal.ts';
import { withoutAddresses } from './without-addresses.ts';

/**
 * The one place where failures become HTTP: named errors, Fastify's and Nest's own refusals, and everything
 * unexpected, all in the shape `{ statusCode, message, error }`.
 */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(failure: unknown, host: ArgumentsHost): void {
    const refusal = answerRefusal(failure, host.switchToHttp().getResponse<FastifyReply>());
    if (refusal.statusCode >= 500) this.log(failure, host.switchToHttp().getRequest<FastifyRequest>(), refusal.error);
  }

  /** The route's pattern stands in for the address: a query string may hold somebody's e-mail. */
  private log(failure: unknown, request: FastifyRequest, code: string): void {
    const isKnown = code !== 'INTERNAL';
    const detail = types.isNativeError(failure) ? (isKnown ? failure.message : failure.stack) : String(failure);
    this.logger.error(withoutAddresses(`${code} at ${request.method} ${request.routeOptions.url}: ${detail}`));
  }
}

/** Answers a request with the refusal that a failure amounts to. */
export function answerRefusal(failure: unknown, reply: FastifyReply): ErrorBody {
  const refusal = refusalOf(failure);
  if (reply.sent) return refusal;
  if (failure instanceof ExpectedError && failure.retryAfter !== undefined) {
    void reply.header('Retry-After', failure.retryAfter);
  }
  void reply.code(refusal.statusCode).send(refusal);
  return refusal;
}
