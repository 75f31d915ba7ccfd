import type { RemoteIndex } from '@daybook/contract/release';
import type { ShellManifest } from '@daybook/contract/server';
import { etagOf } from './cache-headers.ts';
import { PageBody } from './compression.ts';
import type { Document } from './document.ts';

interface CachedPage {
  readonly etag: string;
  readonly policy: string;
  readonly body: PageBody;
}

/** In ms. */
const fallbackLifetime = 10_000;

export class PageCache {
  readonly #pages = new WeakMap<RemoteIndex, WeakMap<ShellManifest, Map<string, Promise<CachedPage>>>>();

  /** Renders a page once, and again after a failure; index and build are compared by identity. */
  get(path: string, index: RemoteIndex, manifest: ShellManifest, render: () => Promise<Document>): Promise<CachedPage> {
    const builds = this.#pages.get(index) ?? new WeakMap();
    this.#pages.set(index, builds);
    const pages = builds.get(manifest) ?? new Map();
    builds.set(manifest, pages);
    const known = pages.get(path);
    if (known) return known;
    const document = render();
    const page = document.then(({ html, policy }) => {
      const identity = Buffer.from(html);
      return { etag: etagOf(identity), policy, body: new PageBody(identity) };
    });
    pages.set(path, page);
    const forget = () => pages.delete(path);
    document.then(({ isFallback }) => isFallback && setTimeout(forget, fallbackLifetime).unref(), forget);
    return page;
  }
}
