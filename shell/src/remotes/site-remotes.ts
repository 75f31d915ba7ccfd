import type { RegisteredRoute, Registry } from '@daybook/contract/release';
import { RemoteOnPage } from './remote-on-page.ts';
import { SiteReleases } from './site-releases.ts';

/** Replaces this document with a new one from the server, even for an unchanged address. */
function leaveTo(address: string): void {
  if (address === location.href.split('#')[0]) location.reload();
  else location.assign(address);
}

/** The remotes of the site on this page. */
export class SiteRemotes {
  readonly #releases: SiteReleases;
  readonly #leaveTo: (address: string) => void;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /**
   * @param inlined the registry in the page's HTML
   * @param leave opens an address as a new document from the server
   */
  constructor(inlined: Registry, leave = leaveTo) {
    this.#releases = new SiteReleases(inlined);
    this.#leaveTo = leave;
  }

  /** Returns the remote that has a route. */
  of({ remote: { name } }: RegisteredRoute): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases, this.#leaveTo);
    this.#remotes.set(name, remote);
    return remote;
  }
}
