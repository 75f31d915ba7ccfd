import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'identity';
type Compressed = Exclude<Encoding, 'identity'>;

/** The smallest first: browsers rate all encodings equally. */
const encodings: readonly Encoding[] = ['br', 'gzip', 'identity'];

export function acceptedEncoding(header: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  return negotiator.encoding(encodings, { preferred: encodings }) ?? 'identity';
}

/** `quick` takes about 10 ms for the largest page, `best` up to a second, Brotli 11 three times as long. */
const efforts = { br: { quick: 4, best: 10 }, gzip: { quick: 6, best: 9 } } as const;
type Effort = 'quick' | 'best';

export type Compress = (content: Buffer, encoding: Compressed, effort: Effort) => Promise<Buffer>;

const compressWithZlib: Compress = (content, encoding, effort) => {
  const level = efforts[encoding][effort];
  return encoding === 'br'
    ? promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: level } })
    : promisify(gzip)(content, { level });
};

export class PageBody {
  readonly #identity: Buffer;
  readonly #compress: Compress;
  readonly #compressed = new Map<Compressed, Promise<Buffer>>();
  /** One at a time: it occupies a thread of the pool that also reads files. */
  static #improving: Promise<unknown> = Promise.resolve();

  constructor(identity: Buffer, compress = compressWithZlib) {
    this.#identity = identity;
    this.#compress = compress;
  }

  /** Returns the body, uncompressed if that fails; the next request tries again. */
  async in(encoding: Encoding): Promise<{ readonly encoding: Encoding; readonly content: Buffer }> {
    if (encoding === 'identity') return { encoding, content: this.#identity };
    try {
      return { encoding, content: await (this.#compressed.get(encoding) ?? this.#begin(encoding)) };
    } catch {
      this.#compressed.delete(encoding);
      return { encoding: 'identity', content: this.#identity };
    }
  }

  #begin(encoding: Compressed): Promise<Buffer> {
    const quick = this.#compress(this.#identity, encoding, 'quick');
    this.#compressed.set(encoding, quick);
    const improve = async () => {
      await quick;
      const best = await this.#compress(this.#identity, encoding, 'best');
      this.#compressed.set(encoding, Promise.resolve(best));
    };
    PageBody.#improving = PageBody.#improving.then(improve).catch(() => undefined);
    return quick;
  }
}
