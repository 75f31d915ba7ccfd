import { apiBodyLimit, type ErrorBody } from '@daybook/contract';
import { HttpException } from '@nestjs/common';
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

/** What a failure tells the client: never more than the client sent or needs to know. */
export function refusalOf(failure: unknown): ErrorBody {
  if (failure instanceof ExpectedError) {
    return refusal(statusOfExpected[failure.code] ?? 500, [failure.code, failure.message]);
  }
  if (isDatabaseUnavailable(failure)) {
    const message = 'The database cannot be reached at the moment. Please try again in a few seconds.';
    return refusal(503, ['DATABASE_UNAVAILABLE', message]);
  }
  const status = refusedStatus(failure);
  if (status === undefined) return refusal(500, ['INTERNAL', 'Something went wrong. Please try again.']);
  if (malformedJsonCodes.has(fastifyCode(failure))) return refusal(status, malformedJson);
  return refusal(
    status,
    explanations[status] ?? ['BAD_REQUEST', 'The request cannot be served. /api/docs describes the calls.'],
  );
}

const refusal = (statusCode: number, [error, message]: Explanation): ErrorBody => ({ statusCode, message, error });

/** The status with which Fastify or Nest refuse; undefined for everything that is our own fault. */
function refusedStatus(failure: unknown): number | undefined {
  const status = failure instanceof HttpException ? failure.getStatus() : fastifyStatus(failure);
  return status !== undefined && status >= 400 && status < 500 ? status : undefined;
}

function fastifyStatus(failure: unknown): number | undefined {
  const isFastifys = failure instanceof Error && failure.name === 'FastifyError' && 'statusCode' in failure;
  return isFastifys ? Number(failure.statusCode) : undefined;
}

/** Nest hands over Fastify's own refusals as the cause of an HttpException. */
function fastifyCode(failure: unknown): string {
  const cause = failure instanceof HttpException ? failure.cause : failure;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
