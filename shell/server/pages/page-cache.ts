import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Document } from './document.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page ready to be sent: made and compressed once, served from memory. */
export interface CachedPage {
  readonly etag: string;
  /** The security policy that it is sent with. */
  readonly policy: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** A makeshift page is served for this many ms: what kept the good one from being made may have been of a moment. */
const makeshiftLifetime = 10_000;

async function prepare({ html, policy }: Document): Promise<CachedPage> {
  const identity = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  // Weak, since it stands for all three encodings alike.
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, policy, bodies: { br, gzip: zipped, identity } };
}

/** Pages that are made of the same things, and the way to those that are made of more. */
class CachedPages {
  readonly pages = new Map<string, Promise<CachedPage>>();
  readonly #further = new WeakMap<object, CachedPages>();

  further(part: object): CachedPages {
    const known = this.#further.get(part);
    if (known) return known;
    const pages = new CachedPages();
    this.#further.set(part, pages);
    return pages;
  }
}

/** Pages by path, for as long as what they are made of is in use. */
export class PageCache {
  readonly #all = new CachedPages();

  /**
   * @param madeOf what the page is made of, compared by identity: visitors of a canary have another registry
   * @param render makes the page's document; called once a page, and again where that fails
   */
  get(path: string, madeOf: readonly object[], render: () => Promise<Document>): Promise<CachedPage> {
    const { pages } = madeOf.reduce((cached: CachedPages, part) => cached.further(part), this.#all);
    const known = pages.get(path);
    if (known) return known;
    const document = render();
    const page = document.then(prepare);
    pages.set(path, page);
    const forget = () => pages.delete(path);
    document.then(({ isMakeshift }) => isMakeshift && setTimeout(forget, makeshiftLifetime).unref(), forget);
    return page;
  }
}
