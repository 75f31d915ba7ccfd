import type { RegisteredRoute, Registry } from '@daybook/contract';
import { type LoadedPage, RemoteOnPage } from './remote-on-page.ts';
import { SiteReleases } from './site-releases.ts';

/** Leaves this document for another one from the server, also where the address stays the same. */
function leaveTo(address: string): void {
  if (address === location.href.split('#')[0]) location.reload();
  else location.assign(address);
}

/** Where the site gets pages from. */
export type PageSource = Pick<SiteRemotes, 'load' | 'loaded' | 'recover' | 'startAnew' | 'versionOf'>;

/** The remotes of the site, as this page runs them. */
export class SiteRemotes {
  readonly #releases: SiteReleases;
  readonly #leaveTo: (address: string) => void;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /**
   * @param inlined the registry that the page came with
   * @param leave goes to an address by a new document from the server
   */
  constructor(inlined: Registry, leave = leaveTo) {
    this.#releases = new SiteReleases(inlined);
    this.#leaveTo = leave;
  }

  /**
   * Loads the page of a route for a navigation. Where the site has given the route up since this page was opened,
   * the browser goes to the address by itself, and the promise stays open.
   *
   * @throws PageLoadError
   */
  async load(
    { remote, route }: RegisteredRoute,
    { url, signal }: Pick<Request, 'url' | 'signal'>,
  ): Promise<LoadedPage> {
    const loaded = await this.#find(remote.name).load(route.path, signal);
    if (loaded) return loaded;
    if (!signal.aborted) this.#leaveTo(url);
    return new Promise(() => undefined);
  }

  /** The page of a route where it is there already, such as loaded ahead; `load` is to be called all the same, to count it. */
  loaded({ remote, route }: RegisteredRoute): LoadedPage | undefined {
    return this.#find(remote.name).loaded(route.path);
  }

  /** Loads the page of a route ahead of a click. */
  prefetch({ remote, route }: RegisteredRoute): void {
    void this.#find(remote.name).prefetch(route.path);
  }

  /** After a page threw while it was rendered: resolves with whether another release of its remote has taken over. */
  recover({ remote, route }: RegisteredRoute): Promise<boolean> {
    return this.#find(remote.name).recover(route.path);
  }

  /** Before the visitor tries again: the next load takes the remote's newest release. */
  startAnew({ remote }: RegisteredRoute): void {
    this.#find(remote.name).startAnew();
  }

  /** The version of a remote that this page runs. */
  versionOf({ remote }: RegisteredRoute): string {
    return this.#find(remote.name).version;
  }

  #find(name: string): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases);
    this.#remotes.set(name, remote);
    return remote;
  }
}
