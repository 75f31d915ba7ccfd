import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { releaseFileName } from '@daybook/contract';
import { releaseLimits } from './gate.ts';
import { OriginFailure, type ReleaseOrigin } from './origin.ts';

/** By the `Content-Encoding` of a response. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Of a request: 100 Continue, 103 Early Hints. */
const maxInformational = 10;

/** In ms: to begin a response, and again for each next part of it. */
const defaultTimeout = 10_000;

/** Bytes that a connection may carry beside twice the content of a file: headers, and what was received ahead. */
const maxFraming = 256_000;

/**
 * Sends a GET request and waits for the head of its response; a redirection is a response like any other. Not by
 * `fetch`, which ends the process where a body is read slowly and its connection has ended:
 * docs/decisions/2026-11-22-multiple-machines.md.
 */
async function get(address: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let informational = 0;
  const request = address.startsWith('https:') ? https.get : http.get;
  const sent = request(address, { headers, signal }, resolve)
    .on('error', reject)
    // A response of 101 is neither a response nor an error here.
    .on('close', () => reject(new Error('it closed the connection')))
    .on('information', () => {
      informational += 1;
      if (informational > maxInformational) sent.destroy(new Error('it sent too many informational responses'));
    });
  return promise;
}

/** The content of a response; what ends early ends with an error for whoever reads on. */
function bodyOf(message: IncomingMessage, signal: AbortSignal): Readable {
  const unpack = unpackers[message.headers['content-encoding'] ?? ''];
  return addAbortSignal(signal, unpack ? pipeline(message, unpack(), () => undefined) : message);
}

/** Aborts when `touch` has not been called for this many ms. */
function createTimeout(ms: number) {
  const controller = new AbortController();
  const start = () =>
    setTimeout(() => controller.abort(new OriginFailure('timeout', `it did not answer within ${ms / 1000} s`)), ms);
  let timer = start();
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(timer);
      timer = start();
    },
    end: () => clearTimeout(timer),
  };
}

function failure(error: unknown): OriginFailure {
  if (error instanceof OriginFailure) return error;
  const { cause, code = '', message } = error as NodeJS.ErrnoException;
  // Why a request was aborted.
  if (cause instanceof OriginFailure) return cause;
  // Where a name stands for several addresses, the error has no message of its own.
  const what = code === 'ECONNRESET' ? 'it closed the connection' : message || code;
  return new OriginFailure('unreachable', what, error);
}

/** A remote's own server as an origin. It is asked for one address after another, and never followed elsewhere. */
export class HttpOrigin implements ReleaseOrigin {
  readonly address: string;
  readonly #timeout: number;
  /** Make the next request for `release.json` conditional. */
  #validators: Readonly<Record<string, string>> = {};
  #text = '';

  /** @param timeout how long, in ms, it may take to begin a response, and again to send each next part of it */
  constructor(address: string, timeout = defaultTimeout) {
    this.address = address.replace(/\/+$/, '');
    this.#timeout = timeout;
  }

  async describe(signal: AbortSignal): Promise<string> {
    const timeout = createTimeout(this.#timeout);
    const either = AbortSignal.any([signal, timeout.signal]);
    try {
      const message = await this.#request(releaseFileName, either, this.#validators);
      // Also where it has none: the connection is free for the next request.
      const text = await readText(bodyOf(message, either));
      if (message.statusCode === 304) return this.#text;
      this.#text = text;
      this.#validators = validatorsOf(message.headers);
      return this.#text;
    } catch (error) {
      throw failure(error);
    } finally {
      timeout.end();
    }
  }

  async *readFile(name: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const timeout = createTimeout(this.#timeout);
    const either = AbortSignal.any([signal, timeout.signal]);
    try {
      const message = await this.#request(name, either);
      const { socket } = message;
      const before = socket.bytesRead;
      let size = 0;
      for await (const chunk of bodyOf(message, either)) {
        timeout.touch();
        size += chunk.length;
        // A file in chunks of one byte each takes a thousand times as long to read.
        if (socket.bytesRead - before > 2 * size + maxFraming)
          throw new OriginFailure('answer', `it sent more framing than content of ${name}`);
        yield chunk;
      }
    } catch (error) {
      throw failure(error);
    } finally {
      timeout.end();
    }
  }

  async #request(file: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}) {
    // The SHA-384 is that of the file as it is: a response that is packed on the way is not asked for.
    const message = await get(`${this.address}/${file}`, { 'Accept-Encoding': 'identity', ...headers }, signal);
    const status = message.statusCode ?? 0;
    const unchanged = status === 304 && Object.keys(headers).length > 0;
    if ((status >= 200 && status < 300) || unchanged) return message;
    message.destroy();
    throw new OriginFailure(status === 404 ? 'missing' : 'answer', `it answered ${status} for ${file}`);
  }
}

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
