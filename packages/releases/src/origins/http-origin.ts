import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { releaseFileName } from '@daybook/contract/release';
import { maxDescription } from '../gate/gate.ts';
import { type DescriptionFile, OriginFailure, type ReleaseOrigin, readText } from './origin.ts';

/** Decompressors by the `Content-Encoding` of a response. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type Headers = Readonly<Record<string, string>>;

/** Max informational responses to a request: 100 Continue, 103 Early Hints. */
const maxInformational = 10;

/** In ms: until the response begins, and again for each next chunk. */
const timeout = 10_000;

/** Bytes that a connection may carry beside twice the content of a file: headers, and data received early. */
const maxFraming = 256_000;

/**
 * Sends a GET request and waits for the head of the response; redirects are not followed. Uses `node:http` instead of
 * `fetch`, which ends the process if a body is read slowly and its connection has closed:
 * docs/decisions/2026-11-21-node-bugs.md.
 */
async function get(address: string, headers: Headers, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let informational = 0;
  const request = address.startsWith('https:') ? https.get : http.get;
  const sent = request(address, { headers, signal }, resolve)
    .on('error', reject)
    // For a status of 101, Node emits neither `response` nor `error`.
    .on('close', () => reject(new Error('it closed the connection')))
    .on('information', () => {
      informational += 1;
      if (informational > maxInformational) sent.destroy(new Error('it sent too many informational responses'));
    });
  return promise;
}

/** Returns the decoded body of a response; a body that ends early fails its reader. */
function bodyOf(message: IncomingMessage, signal: AbortSignal): Readable {
  const unpack = unpackers[message.headers['content-encoding'] ?? ''];
  return addAbortSignal(signal, unpack ? pipeline(message, unpack(), () => undefined) : message);
}

/** Aborts like `signal`, and when `touch` has not been called for the time of the timeout. */
function createTimeout(signal: AbortSignal) {
  const controller = new AbortController();
  const failure = new OriginFailure('timeout', `it did not respond within ${timeout / 1000} s`);
  const timer = setTimeout(() => controller.abort(failure), timeout);
  return {
    either: AbortSignal.any([signal, controller.signal]),
    touch: () => timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

function failure(error: unknown): OriginFailure {
  if (error instanceof OriginFailure) return error;
  const { cause, code = '', message } = error as NodeJS.ErrnoException;
  // The reason of an abort.
  if (cause instanceof OriginFailure) return cause;
  // If a name resolves to several addresses, the error has no message.
  const what = code === 'ECONNRESET' ? 'it closed the connection' : message || code;
  return new OriginFailure('unreachable', what, error);
}

/** Origin that reads a remote's own server. Sends one request at a time and follows no redirect. */
export class HttpOrigin implements ReleaseOrigin {
  readonly address: string;
  /** Descriptions as last read, with the headers that make the next request conditional. */
  readonly #known = new Map<DescriptionFile, { readonly text: string; readonly validators: Headers }>();

  constructor(address: string) {
    this.address = address.replace(/(?<!\/)\/+$/, '');
  }

  async describe(signal: AbortSignal, file: DescriptionFile = releaseFileName): Promise<string> {
    const { either, end } = createTimeout(signal);
    try {
      const known = this.#known.get(file);
      const message = await this.#request(file, either, known?.validators);
      // Read even if empty: frees the connection for the next request.
      const text = await readText(bodyOf(message, either), `its ${file}`, maxDescription(file));
      if (known && message.statusCode === 304) return known.text;
      this.#known.set(file, { text, validators: validatorsOf(message.headers) });
      return text;
    } catch (error) {
      throw failure(error);
    } finally {
      end();
    }
  }

  async *readFile(name: string, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const { either, touch, end } = createTimeout(signal);
    try {
      const message = await this.#request(name, either);
      const { socket } = message;
      const before = socket.bytesRead;
      let size = 0;
      for await (const chunk of bodyOf(message, either)) {
        touch();
        size += chunk.length;
        // A file in one-byte chunks takes a thousand times as long to read.
        if (socket.bytesRead - before > 2 * size + maxFraming)
          throw new OriginFailure('answer', `it sent more framing than content of ${name}`);
        yield chunk;
      }
    } catch (error) {
      throw failure(error);
    } finally {
      end();
    }
  }

  async #request(file: string, signal: AbortSignal, headers: Headers = {}) {
    // Requests no compression: the SHA-384 is that of the plain file.
    const message = await get(`${this.address}/${file}`, { 'Accept-Encoding': 'identity', ...headers }, signal);
    const status = message.statusCode ?? 0;
    const unchanged = status === 304 && Object.keys(headers).length > 0;
    if ((status >= 200 && status < 300) || unchanged) return message;
    message.destroy();
    // Buckets respond with 403 for a file that does not exist.
    const isMissing = [403, 404, 410].includes(status);
    throw new OriginFailure(isMissing ? 'missing' : 'answer', `it responded with ${status} for ${file}`);
  }
}

const validatorsOf = ({ etag, 'last-modified': modified }: IncomingHttpHeaders): Headers => ({
  ...(etag ? { 'If-None-Match': etag } : {}),
  ...(modified ? { 'If-Modified-Since': modified } : {}),
});
