import { types } from 'node:util';
import type { ErrorBody } from '@daybook/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExpectedError } from '../errors.ts';
import { refusalOf } from './refusal.ts';

/**
 * The one place where failures become HTTP: named errors, Fastify's and Nest's own refusals, and everything
 * unexpected, all in the shape `{ statusCode, message, error }`.
 */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  catch(failure: unknown, host: ArgumentsHost): void {
    const refusal = answerRefusal(failure, host.switchToHttp().getResponse<FastifyReply>());
    if (refusal.statusCode >= 500) logFailure(failure, host.switchToHttp().getRequest<FastifyRequest>(), refusal);
  }
}

/** The route's pattern stands in for the address: a query string may hold somebody's e-mail. */
function logFailure(failure: unknown, request: FastifyRequest, { error, statusCode }: ErrorBody): void {
  const { method, log } = request;
  const route = request.routeOptions.url;
  const fields = { method, route, status: statusCode, code: error };
  const isError = types.isNativeError(failure);
  // Where the code says it all, no stack is needed.
  const detail = isError && error === 'INTERNAL' ? { err: failure } : {};
  log.error({ ...fields, ...detail }, `${error} at ${method} ${route}: ${isError ? failure.message : String(failure)}`);
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
