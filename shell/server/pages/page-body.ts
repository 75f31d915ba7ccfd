import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

type Encoding = 'br' | 'gzip' | 'identity';
type Compressed = Exclude<Encoding, 'identity'>;

/** The smallest first: browsers rate all encodings equally. */
const encodings: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** Returns the encoding that a request's Accept-Encoding header prefers; `identity` if it rejects every one. */
export function acceptedEncoding(header: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return negotiator.encoding(encodings, { preferred: encodings }) ?? 'identity';
}

/** `quick` takes about 10 ms for the largest page, `best` up to a second. */
type Effort = 'quick' | 'best';

/** Compresses a content. */
export type Compress = (content: Buffer, encoding: Compressed, effort: Effort) => Promise<Buffer>;

/**
 * Brotli's quality 10 is faster than 9 and smaller; 11 takes three times as long
 * (docs/decisions/2026-11-21-composed-pages.md).
 */
const efforts = { br: { quick: 4, best: 10 }, gzip: { quick: 6, best: 9 } } as const;

const compressWithZlib: Compress = (content, encoding, effort) => {
  const level = efforts[encoding][effort];
  return encoding === 'br'
    ? promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : promisify(gzip)(content, { level });
};

/**
 * Runs one job at a time, the one with the smallest content first: a large page delays no other, and occupies one thread
 * of the pool that also reads files.
 */
class SmallestFirst {
  readonly #waiting: { readonly size: number; readonly run: () => Promise<unknown> }[] = [];
  #isBusy = false;

  add<Result>(size: number, job: () => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const after = this.#waiting.findIndex((other) => other.size > size);
    const place = after === -1 ? this.#waiting.length : after;
    this.#waiting.splice(place, 0, { size, run: () => job().then(resolve, reject) });
    void this.#next();
    return promise;
  }

  async #next(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) await job.run();
    this.#isBusy = false;
  }
}

/** Compresses pages: each quickly when it is first requested, and then well, while it is already served. */
export class PageCompressor {
  readonly #compress: Compress;
  readonly #queues = { quick: new SmallestFirst(), best: new SmallestFirst() };

  constructor(compress = compressWithZlib) {
    this.#compress = compress;
  }

  /** @throws Error if the content cannot be compressed, such as for lack of memory */
  compress(content: Buffer, encoding: Compressed, effort: Effort): Promise<Buffer> {
    return this.#queues[effort].add(content.length, async () => this.#compress(content, encoding, effort));
  }
}

/** A page's body in the encodings that were requested so far. */
export class PageBody {
  readonly #identity: Buffer;
  readonly #compressor: PageCompressor;
  readonly #quick = new Map<Compressed, Promise<Buffer>>();
  readonly #best = new Map<Compressed, Buffer>();

  constructor(identity: Buffer, compressor: PageCompressor) {
    this.#identity = identity;
    this.#compressor = compressor;
  }

  /**
   * Returns the body in an encoding: the best compressed one that exists. If it cannot be compressed, returns it as it is;
   * the next request tries again.
   */
  async in(encoding: Encoding): Promise<{ readonly encoding: Encoding; readonly content: Buffer }> {
    if (encoding === 'identity') return { encoding, content: this.#identity };
    try {
      return { encoding, content: this.#best.get(encoding) ?? (await this.#quickly(encoding)) };
    } catch {
      return { encoding: 'identity', content: this.#identity };
    }
  }

  #quickly(encoding: Compressed): Promise<Buffer> {
    const known = this.#quick.get(encoding);
    if (known) return known;
    const quick = this.#compressor.compress(this.#identity, encoding, 'quick');
    this.#quick.set(encoding, quick);
    quick.then(
      () => this.#improve(encoding),
      () => this.#quick.delete(encoding),
    );
    return quick;
  }

  /** Replaces the quickly compressed body, which stays if that fails. */
  async #improve(encoding: Compressed): Promise<void> {
    const best = await this.#compressor.compress(this.#identity, encoding, 'best').catch(() => undefined);
    if (!best) return;
    this.#best.set(encoding, best);
    this.#quick.delete(encoding);
  }
}
