import { findRoute, type RegisteredRoute, type Registry } from '@daybook/contract';
import { developmentPage } from '../development/development-page.tsx';
import type { PageSource } from '../remotes/site-remotes.ts';
import { type Content, type OwnContent, unknownPath } from './content.tsx';
import type { Location } from './react-router.ts';

/** A path as a route has it. Within the site a link may have a slash at its end; the server leads those elsewhere. */
const plain = (pathname: string) => pathname.replace(/\/+$/, '') || '/';

/** What there is at each location of the site; made from the registry, so that a remote's new route needs no change here. */
export class SitePages {
  readonly remotes: PageSource;
  readonly #registry: Registry;

  constructor(registry: Registry, remotes: PageSource) {
    this.#registry = registry;
    this.remotes = remotes;
  }

  /** What can be shown at once, in full. */
  findLoaded(pathname: string): Content | undefined {
    const content = this.find(pathname);
    if (content.kind === 'own') return content;
    const { registered } = content;
    const loaded = this.remotes.loaded(registered);
    return loaded && { kind: 'page', registered, loaded };
  }

  /** What can be shown at once, if only that the page is on its way. */
  find(pathname: string): OwnContent | (Content & { readonly kind: 'loading' }) {
    const registered = findRoute(this.#registry, plain(pathname));
    if (registered) return { kind: 'loading', registered };
    return developmentPage(pathname) ?? unknownPath(this.#registry.missing);
  }

  /** What is to be shown in the end; where the site has given the route up, the browser leaves for the server's word. */
  async load({ pathname, search, hash }: Location, signal: AbortSignal): Promise<Content> {
    const content = this.find(pathname);
    if (content.kind === 'own') return content;
    return this.#loadPage(content.registered, { url: new URL(pathname + search + hash, location.href).href, signal });
  }

  async #loadPage(registered: RegisteredRoute, request: { url: string; signal: AbortSignal }): Promise<Content> {
    try {
      return { kind: 'page', registered, loaded: await this.remotes.load(registered, request) };
    } catch (error) {
      return { kind: 'failed', registered, error };
    }
  }
}
