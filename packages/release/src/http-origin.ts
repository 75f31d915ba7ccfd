import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { releaseFileName } from '@daybook/contract';
import { releaseLimits } from './gate.ts';
import { OriginFailure, type ReleaseOrigin } from './origin.ts';

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
 * a body is read slowly and its connection has ended: docs/decisions/2026-11-21-node-bugs.md.
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

/** An origin has this long, in ms, to begin its answer and again to give each next part of it. */
const usualPatience = 10_000;

/** Bytes that a connection may carry beside twice the content of a file: headers, and what was received ahead. */
const maxFraming = 256_000;

/** Aborts when `touch` has not been called for as long as the origin may take. */
function impatience(patience: number) {
  const controller = new AbortController();
  const give = () =>
    setTimeout(
      () => controller.abort(new OriginFailure('timeout', `it did not answer within ${patience / 1000} s`)),
      patience,
    );
  let timer = give();
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer);
      timer = give();
    },
    end: () => clearTimeout(timer),
  };
}

/** What broke the connection, where Node has no words for it. */
const connectionFailures: Readonly<Record<string, string>> = {
  ECONNRESET: 'it closed the connection',
};

function failure(error: unknown): OriginFailure {
  if (error instanceof OriginFailure) return error;
  const { cause, code = '', message } = error as NodeJS.ErrnoException;
  // Why a question was given up.
  if (cause instanceof OriginFailure) return cause;
  // Where a name stands for several addresses, the error has no message of its own.
  return new OriginFailure('unreachable', connectionFailures[code] ?? (message || code), error);
}

/** A remote's own server as an origin. It is asked for one address after another, and never followed elsewhere. */
export class HttpOrigin implements ReleaseOrigin {
  readonly address: string;
  readonly #patience: number;
  #validators: Readonly<Record<string, string>> = {};
  #text = '';

  /** @param patience how long, in ms, it may take to begin an answer, and again to give each next part of it */
  constructor(address: string, patience = usualPatience) {
    this.address = address.replace(/\/+$/, '');
    this.#patience = patience;
  }

  async describe(signal: AbortSignal): Promise<string> {
    const limit = impatience(this.#patience);
    try {
      const answer = await this.#ask(releaseFileName, AbortSignal.any([signal, limit.signal]), this.#validators);
      // Also where it has none: the connection is free for the next question.
      const text = await readText(answer.body);
      if (answer.status === 304) return this.#text;
      this.#text = text;
      this.#validators = validatorsOf(answer.headers);
      return this.#text;
    } catch (error) {
      throw failure(error);
    } finally {
      limit.end();
    }
  }

  async *readFile(name: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const limit = impatience(this.#patience);
    try {
      const { body, receivedBytes } = await this.#ask(name, AbortSignal.any([signal, limit.signal]));
      const before = receivedBytes();
      let size = 0;
      for await (const chunk of body) {
        limit.touch();
        size += chunk.length;
        // A file in chunks of one byte each takes a thousand times as long to read.
        if (receivedBytes() - before > 2 * size + maxFraming)
          throw new OriginFailure('answer', `it sent more framing than content of ${name}`);
        yield chunk;
      }
    } catch (error) {
      throw failure(error);
    } finally {
      limit.end();
    }
  }

  async #ask(file: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    // The SHA-384 is that of the file as it is: an answer that is packed on the way is not asked for.
    const answer = await get(`${this.address}/${file}`, { 'Accept-Encoding': 'identity', ...headers }, signal);
    const { status, body } = answer;
    const unchanged = status === 304 && Object.keys(headers).length > 0;
    if ((status >= 200 && status < 300) || unchanged) return answer;
    body.destroy();
    throw new OriginFailure(status === 404 ? 'missing' : 'answer', `it answered ${status} for ${file}`);
  }
}

/** What the next question is asked by. */
const validatorsOf = ({ etag, 'last-modified': modified }: IncomingHttpHeaders): Readonly<Record<string, string>> => ({
  ...(etag ? { 'If-None-Match': etag } : {}),
  ...(modified ? { 'If-Modified-Since': modified } : {}),
});

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > releaseLimits.description)
      throw new OriginFailure('answer', `its ${releaseFileName} is larger than ${releaseLimits.description} bytes`);
  }
  return text + decoder.decode();
}
