import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { PublicRegistry } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import type { Document } from './document.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/** A rendered and compressed page, served from memory. */
interface CachedPage {
  readonly etag: string;
  readonly policy: string;
  readonly bodies: Readonly<Record<Encoding, Buffer>>;
}

/** In ms: a page without HTML is cached only briefly, since the reason may be temporary, such as a disk error. */
const fallbackLifetime = 10_000;

/** Returns a weak ETag: the content is sent in several encodings. */
export const etagOf = (content: string | Buffer) => `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;

/** Faster than quality 9 and smaller; 11 takes three times as long (docs/decisions/2026-11-23-first-second.md). */
const brotliQuality = 10;

async function prepare({ html, policy }: Document): Promise<CachedPage> {
  const identity = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  return { etag: etagOf(identity), policy, bodies: { br, gzip: zipped, identity } };
}

/** Caches pages by path, as long as their registry and shell build are in use. */
export class PageCache {
  readonly #pages = new WeakMap<PublicRegistry, WeakMap<ShellManifest, Map<string, Promise<CachedPage>>>>();

  /**
   * @param registry compared by identity, like `manifest`: visitors of a canary have a different one
   * @param render renders the page's document; called once per page, and again after a failure
   */
  get(
    path: string,
    registry: PublicRegistry,
    manifest: ShellManifest,
    render: () => Promise<Document>,
  ): Promise<CachedPage> {
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
