import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page ready to be sent: made and compressed once, served from memory. */
export interface CachedPage {
  readonly etag: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

async function prepare(html: string): Promise<CachedPage> {
  const identity = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  // Weak, since it stands for all three encodings alike.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, bodies: { br, gzip: zipped, identity } };
}

/** Pages by path, for as long as what they are made of stays the same. */
export class PageCache {
  #madeOf: readonly unknown[] = [];
  #pages = new Map<string, Promise<CachedPage>>();

  /**
   * @param madeOf what the page is made of, compared by identity; a change empties the cache
   * @param render makes the page's HTML; called at most once a page
   */
  get(path: string, madeOf: readonly unknown[], render: () => string): Promise<CachedPage> {
    if (madeOf.some((part, index) => part !== this.#madeOf[index])) {
      this.#madeOf = madeOf;
      this.#pages = new Map();
    }
    const known = this.#pages.get(path);
    if (known) return known;
    const page = prepare(render());
    this.#pages.set(path, page);
    return page;
  }
}
