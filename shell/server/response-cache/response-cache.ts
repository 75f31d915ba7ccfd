import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { type Drain, refusalOfRequest, requestIdHeader, requestIdOf } from '@daybook/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AnsweredRequest, kindOf } from '../request-count.ts';
import { ExpiringCache } from './expiring-cache.ts';
import { SharedBodies } from './shared-bodies.ts';

/** What is kept takes this many bytes of memory at most. */
const mostMemory = 64_000_000;

/** A longer file is streamed from the disk each time, in bytes. */
const longestFile = 500_000;

/** With one of these an answer depends on more than its address, its encoding and what the client has of it. */
const unusualHeaders = ['range', 'if-range', 'if-match', 'if-modified-since', 'if-unmodified-since'] as const;

/** What a route says of an answer that may be given again. */
export interface Offer {
  /** Whether the route would answer the same now. */
  readonly isCurrent: () => boolean;
  /** Is told each time that the answer was given again. */
  readonly onGiven: () => void;
}

interface CachedResponse {
  readonly offer: Offer;
  readonly kind: AnsweredRequest['kind'];
  readonly status: number;
  /** Names and values in turn; the first value is the id of the request that is answered. */
  readonly headers: string[];
  readonly body: Buffer | undefined;
}

/** An answer that was given again; times in ms. */
interface Given {
  readonly answer: CachedResponse;
  readonly response: ServerResponse;
  readonly began: number;
  readonly ended: number;
}

export interface ResponseCacheOptions {
  readonly drain: Drain;
  /** Whether the id that a request brings is that of a trusted proxy. */
  readonly isProxyTrusted: boolean;
}

/** By what the answer to a request is found again; `undefined` where it has to be made. The query changes no page and no file. */
function keyOf({ method, url = '', headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' || unusualHeaders.some((name) => headers[name] !== undefined)) return undefined;
  // A file that the client has is sent once more to who asks so.
  if (headers['cache-control'] !== undefined && headers['if-none-match'] !== undefined) return undefined;
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  return `${path}\n${headers['accept-encoding'] ?? ''}\n${headers['if-none-match'] ?? ''}`;
}

/** The headers of an answer that is about to be sent, as Fastify sends them. */
function headersOf(reply: FastifyReply, body: Buffer | undefined): string[] {
  const { [requestIdHeader]: id, ...others } = reply.getHeaders();
  const length = body ? { 'content-length': body.length } : {};
  return Object.entries({ [requestIdHeader]: id, ...others, ...length }).flatMap(([name, value]) => [
    name,
    String(value),
  ]);
}

/** Names the bytes of a file as they are sent. */
const contentOf = ({ url }: FastifyRequest, reply: FastifyReply): string =>
  [url.split('?')[0], reply.getHeader('Content-Encoding'), reply.getHeader('ETag')].join('\n');

const isFile = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;

/**
 * Pages and files that were sent within the last second, to be sent once more as they were: status, headers and bytes.
 * A request for one of them takes a lookup and a write, in front of routing and hooks. What the answer is, each of its
 * headers too, is decided by them alone; whatever they would answer in another way is left to them.
 */
export class ResponseCache {
  readonly #answers = new ExpiringCache<CachedResponse>(mostMemory);
  readonly #offers = new WeakMap<FastifyReply, Offer>();
  readonly #drain: Drain;
  readonly #isProxyTrusted: boolean;
  readonly #bodies = new SharedBodies();
  #count: (request: AnsweredRequest) => void = () => undefined;
  #given: Given[] = [];

  constructor({ drain, isProxyTrusted }: ResponseCacheOptions) {
    this.#drain = drain;
    this.#isProxyTrusted = isProxyTrusted;
  }

  /** Says of an answer, before it is sent, that it may be given again. */
  offer(reply: FastifyReply, offer: Offer): void {
    this.#offers.set(reply, offer);
  }

  /** Hands each request that was answered again over to be counted. */
  onAnswered(count: (request: AnsweredRequest) => void): void {
    this.#count = count;
  }

  /** Keeps what the routes of an app offer, and answers in front of it; to be called after all that adds headers. */
  standInFrontOf(app: FastifyInstance): void {
    const [ordinary] = app.server.listeners('request') as RequestListener[];
    if (!ordinary) throw new Error('The server answers nothing that could be kept.');
    app.server.removeListener('request', ordinary).on('request', this.inFrontOf(ordinary));
    app.addHook('onSend', (request, reply, payload: unknown, done) => {
      const offer = this.#offers.get(reply);
      const key = offer && keyOf(request.raw);
      const isAsExpected = (reply.statusCode === 200 || reply.statusCode === 304) && !reply.hasHeader('Set-Cookie');
      if (!key || !isAsExpected) return done(null, payload);
      const keep = (body?: Buffer) => this.#keep(key, offer, request, reply, body);
      if (isFile(payload)) {
        if (!(Number(reply.getHeader('Content-Length')) <= longestFile)) return done(null, payload);
        this.#bodies.take(contentOf(request, reply), payload).then((body) => {
          keep(body);
          done(null, body);
        }, done);
        return;
      }
      if (Buffer.isBuffer(payload)) keep(payload);
      else if (payload === undefined) keep();
      done(null, payload);
    });
  }

  /** Answers what is ready, and leaves every other request to `ordinary`. */
  inFrontOf(ordinary: RequestListener): RequestListener {
    return (request, response) => {
      const began = performance.now();
      const answer = this.#findSafely(request, began);
      if (!answer) return ordinary(request, response);
      const { status, headers, body } = answer;
      headers[1] = requestIdOf(request.headers, this.#isProxyTrusted);
      response.writeHead(status, headers).end(body);
      const given = this.#given.push({ answer, response, began, ended: performance.now() });
      if (given === 1) setImmediate(() => this.#countGiven());
    };
  }

  /** What goes wrong here would end the process: routes and hooks meet it, too, and tell it. */
  #findSafely(request: IncomingMessage, now: number): CachedResponse | undefined {
    try {
      return this.#find(request, now);
    } catch {
      return undefined;
    }
  }

  #find(request: IncomingMessage, now: number): CachedResponse | undefined {
    // The ordinary answer ends its connection then.
    if (this.#drain.isDraining) return undefined;
    const key = keyOf(request);
    const answer = key && this.#answers.find(key, now);
    if (!key || !answer) return undefined;
    if (!answer.offer.isCurrent()) {
      this.#answers.forget(key);
      return undefined;
    }
    const { method = '', url = '', headers } = request;
    return refusalOfRequest({ method, url, host: '', headers }) ? undefined : answer;
  }

  /** Counts what was given in a turn of the event loop, all together: between the writes it would take a third longer. */
  #countGiven(): void {
    const all = this.#given;
    this.#given = [];
    for (const { answer, response, began, ended } of all) {
      const { offer, kind, status } = answer;
      const count = (end: number) => this.#count({ kind, method: 'GET', status, duration: (end - began) / 1000 });
      offer.onGiven();
      if (response.writableFinished) count(ended);
      else {
        this.#drain.followResponse(response);
        response.once('finish', () => count(performance.now()));
      }
    }
  }

  #keep(key: string, offer: Offer, { url, routeOptions }: FastifyRequest, reply: FastifyReply, body?: Buffer): void {
    const kind = kindOf(url, routeOptions.url ?? '');
    const answer = { offer, kind, status: reply.statusCode, headers: headersOf(reply, body), body };
    this.#answers.keep(key, answer, performance.now());
  }
}
