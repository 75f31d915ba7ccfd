import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Registry, ShellManifest } from '@daybook/contract';
import type { Document } from './document.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A page ready to be sent: rendered and compressed once, served from memory. */
export interface CachedPage {
  readonly etag: string;
  readonly policy: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** A fallback page is served for this many ms: what kept the page from being composed may have been temporary. */
const fallbackLifetime = 10_000;

/** The ETag of a content that is sent in several encodings, so a weak one. */
export const etagOf = (content: string | Buffer) =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;

async function prepare({ html, policy }: Document): Promise<CachedPage> {
  const identity = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  return { etag: etagOf(identity), policy, bodies: { br, gzip: zipped, identity } };
}

/** Pages by path, for as long as the registry and the build of the shell that they are made of are in use. */
export class PageCache {
  readonly #pages = new WeakMap<Registry, WeakMap<ShellManifest, Map<string, Promise<CachedPage>>>>();

  /**
   * @param registry compared by identity, as `manifest`: visitors of a canary have another
   * @param render makes the page's document; called once a page, and again where that fails
   */
  get(path: string, registry: Registry, manifest: ShellManifest, render: () => Promise<Document>): Promise<CachedPage> {
    const builds = this.#pages.get(registry) ?? new WeakMap();
    this.#pages.set(registry, builds);
    const pages = builds.get(manifest) ?? new Map();
    builds.set(manifest, pages);
    const known = pages.get(path);
    if (known) return known;
    const document = render();
    const page = document.then(prepare);
    pages.set(path, page);
    const forget = () => pages.delete(path);
    document.then(({ isFallback }) => isFallback && setTimeout(forget, fallbackLifetime).unref(), forget);
    return page;
  }
}
