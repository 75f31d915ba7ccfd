import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** What a server answered; whoever asked reads `body` to its end or destroys it. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** Returns the bytes that the connection has received. */
  readonly receivedBytes: () => number;
}

/** By the `Content-Encoding` of an answer. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Of a request: 100 Continue, 103 Early Hints. */
const maxInformational = 10;

/** What ends early ends with an error for whoever reads on. */
const toldToReader = () => undefined;

function bodyOf(message: IncomingMessage): Readable {
  const unpack = unpackers[message.headers['content-encoding'] ?? ''];
  return unpack ? pipeline(message, unpack(), toldToReader) : message;
}

/**
 * Asks a server for an address; a redirection is an answer like any other. Not by `fetch`, which ends the process where
 * a body is read slowly and its connection has ended: docs/decisions/2026-11-21-past-one-machine.md.
 *
 * @param signal gives up the question and the body that is being read, with an AbortError that has its reason as cause
 */
export async function get(
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let informational = 0;
  const request = address.startsWith('https:') ? https.get : http.get;
  const sent = request(address, { headers, signal }, resolve)
    .on('error', reject)
    // Answers 101 with neither a response nor an error.
    .on('close', () => reject(new Error('it closed the connection')))
    .on('information', () => {
      informational += 1;
      if (informational > maxInformational) sent.destroy(new Error('it sent too many informational responses'));
    });
  const message = await promise;
  const { socket } = message;
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    body: addAbortSignal(signal, bodyOf(message)),
    receivedBytes: () => socket.bytesRead,
  };
}
