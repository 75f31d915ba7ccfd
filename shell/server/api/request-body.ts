import type { IncomingMessage } from 'node:http';
import { apiBodyLimit } from '@daybook/contract';
import type { FastifyRequest } from 'fastify';

/** A body that is too long is still read to its end, up to this many bytes: beyond, the connection is closed. */
const longestRead = 20 * apiBodyLimit;

/** The body of a request to the API is longer than any call takes. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
  readonly statusCode = 413;
}

/** The client went away, or was too slow, before its body was there. */
export class BodyCutOffError extends Error {
  override readonly name = 'BodyCutOffError';
  readonly statusCode = 400;
}

/**
 * Reads the body of a request to the API. Whole, before it is forwarded or refused: who answers while the other
 * side still writes loses the answer with the connection, so a backend that refuses a long body would look as if
 * it were down.
 *
 * @throws BodyTooLargeError for one that is longer than `apiBodyLimit`
 * @throws BodyCutOffError for one that does not come to its end
 */
export async function readBody(_request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= apiBodyLimit) chunks.push(chunk);
      if (size > longestRead) break;
    }
  } catch (error) {
    throw new BodyCutOffError('The body was cut off.', { cause: error });
  }
  if (size > apiBodyLimit) throw new BodyTooLargeError(`The body is longer than ${apiBodyLimit} bytes.`);
  return Buffer.concat(chunks);
}
