import type { IncomingHttpHeaders } from 'node:http';
import { releaseFileName } from '@daybook/contract';
import { releaseLimits } from '../store/release-limits.ts';
import { type Answer, get } from './get.ts';
import { OriginFailure, type ReleaseOrigin } from './release-origin.ts';

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
