import { types } from 'node:util';
import { defaultBodyLimit, type ErrorBody } from '@daybook/contract/api';
import { databaseStateOf } from '@daybook/server';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, ExpectedError } from '../errors.ts';

const statusOfExpected: Partial<Record<ErrorCode, number>> = {
  ENTRY_NOT_FOUND: 404,
  TOO_MANY_REQUESTS: 429,
  VALIDATION_FAILED: 400,
};

/** Seconds until a retry while the database is not available. Its restart takes a few of them. */
const outageRetryAfter = 2;

/** Errors that Fastify and Nest raise themselves, by status. */
const explanations: Readonly<Record<number, readonly [error: ErrorCode, message: string]>> = {
  404: ['NOT_FOUND', 'There is nothing at this address for this method. /api/docs lists the calls.'],
  414: ['ADDRESS_TOO_LONG', 'The address of the request is too long. /api/docs describes the calls.'],
  415: ['UNSUPPORTED_MEDIA_TYPE', 'The body has a content type that is not accepted. Send it as application/json.'],
};

const malformedJsonCodes = new Set(['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY']);

/** Maps a failure to a response body that holds no more than the client sent or needs to know. */
function errorBodyOf(failure: unknown, bodyLimit = defaultBodyLimit): ErrorBody {
  const body = (statusCode: number, error: ErrorCode, message: string): ErrorBody => ({ statusCode, message, error });
  if (failure instanceof ExpectedError)
    return body(statusOfExpected[failure.code] ?? 500, failure.code, failure.message);
  if (databaseStateOf(failure)?.isTemporary) {
    const message = 'The database is not available at the moment. Please try again in a few seconds.';
    return body(503, 'DATABASE_UNAVAILABLE', message);
  }
  // Nest wraps Fastify's errors: they are the cause of an HttpException.
  const { name, statusCode, code } = ((failure instanceof HttpException && failure.cause) || failure) as FastifyError;
  const status = failure instanceof HttpException ? failure.getStatus() : name === 'FastifyError' ? statusCode : 500;
  if (status === undefined || status < 400 || status >= 500)
    return body(500, 'INTERNAL', 'Something went wrong. Please try again.');
  if (status === 413)
    return body(status, 'BODY_TOO_LARGE', `The body is too large. At most ${bodyLimit} bytes are accepted.`);
  if (malformedJsonCodes.has(code)) {
    const message = 'The body is not valid JSON. Send a JSON object, or neither body nor content type.';
    return body(status, 'MALFORMED_JSON', message);
  }
  const unknown = ['BAD_REQUEST', 'The request is malformed. /api/docs describes the calls.'] as const;
  return body(status, ...(explanations[status] ?? unknown));
}

/** The only place that maps failures to HTTP, all in the shape `{ statusCode, message, error }`. */
@Catch()
export class ErrorResponseFilter implements ExceptionFilter {
  catch(failure: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const body = sendErrorResponse(failure, host.switchToHttp().getResponse<FastifyReply>());
    // Not of a client that has left before the end of its body.
    if (body.statusCode >= 500 && request.raw.complete) logFailure(failure, request, body);
  }
}

/** Logs the route's pattern instead of the URL: a query string may contain an email. */
function logFailure(failure: unknown, request: FastifyRequest, { error, statusCode }: ErrorBody): void {
  const { method, routeOptions } = request;
  const route = routeOptions.url;
  const isError = types.isNativeError(failure);
  const fields = {
    method,
    route,
    status: statusCode,
    code: error,
    ...(isError && error === 'INTERNAL' && { err: failure }),
  };
  const database = databaseStateOf(failure);
  const cause = `${database ? `the database ${database.state}: ` : ''}${isError ? failure.message : String(failure)}`;
  // An error may quote what the client sent.
  request.log.error(fields, `${error} at ${method} ${route}: ${cause}`.slice(0, 1_000));
}

/** Sends the error response for a failure, unless a response was sent already, and returns its body. */
export function sendErrorResponse(failure: unknown, reply: FastifyReply): ErrorBody {
  const body = errorBodyOf(failure, reply.request.routeOptions.bodyLimit);
  if (reply.sent) return body;
  const ofOutage = body.statusCode === 503 ? outageRetryAfter : undefined;
  const retryAfter = failure instanceof ExpectedError ? failure.retryAfter : ofOutage;
  if (retryAfter !== undefined) void reply.header('Retry-After', retryAfter);
  void reply.code(body.statusCode).send(body);
  return body;
}
