import { types } from 'node:util';
import { apiBodyLimit, type ErrorBody } from '@daybook/contract';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isDatabaseUnavailable } from '../database/index.ts';
import { type ErrorCode, ExpectedError } from '../errors.ts';

const statusOfExpected: Partial<Record<ErrorCode, number>> = {
  ENTRY_NOT_FOUND: 404,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  VALIDATION_FAILED: 400,
};

type Explanation = readonly [error: ErrorCode, message: string];

/** What Fastify and Nest refuse on their own, by status. */
const explanations: Readonly<Record<number, Explanation>> = {
  400: ['BAD_REQUEST', 'The request is malformed. /api/docs describes the calls.'],
  404: ['NOT_FOUND', 'There is nothing at this address for this method. /api/docs lists the calls.'],
  413: ['BODY_TOO_LARGE', `The body is too large. At most ${apiBodyLimit} bytes are accepted.`],
  414: ['ADDRESS_TOO_LONG', 'The address of the request is too long. /api/docs describes the calls.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The body has a content type that is not accepted. Send it as application/json.'],
};

const malformedJson: Explanation = [
  'MALFORMED_JSON',
  'The body is not valid JSON. Send a JSON object, or neither body nor content type.',
];
const malformedJsonCodes = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY']);

const unknownRequest: Explanation = ['BAD_REQUEST', 'The request cannot be served. /api/docs describes the calls.'];

/** The response to a failure: never more than the client sent or needs to know. */
function refusalOf(failure: unknown): ErrorBody {
  if (failure instanceof ExpectedError)
    return refusal(statusOfExpected[failure.code] ?? 500, [failure.code, failure.message]);
  if (isDatabaseUnavailable(failure)) {
    const message = 'The database cannot be reached at the moment. Please try again in a few seconds.';
    return refusal(503, ['DATABASE_UNAVAILABLE', message]);
  }
  // Nest hands over Fastify's own refusals as the cause of an HttpException.
  const { name, statusCode, code } = ((failure instanceof HttpException && failure.cause) || failure) as FastifyError;
  const status = failure instanceof HttpException ? failure.getStatus() : name === 'FastifyError' ? statusCode : 500;
  if (status === undefined || status < 400 || status >= 500)
    return refusal(500, ['INTERNAL', 'Something went wrong. Please try again.']);
  return refusal(status, malformedJsonCodes.has(code) ? malformedJson : (explanations[status] ?? unknownRequest));
}

const refusal = (statusCode: number, [error, message]: Explanation): ErrorBody => ({ statusCode, message, error });

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
