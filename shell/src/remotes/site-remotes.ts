import type { PublicRegistry, RegisteredRoute } from '@daybook/contract/release';
import { KnownReleases } from './known-releases.ts';
import { RemoteOnPage } from './remote-on-page.ts';

/** The remotes of the site on this page. */
export class SiteRemotes {
  readonly #releases: KnownReleases;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /** @param inlined the registry in the page's HTML */
  constructor(inlined: PublicRegistry) {
    this.#releases = new KnownReleases(inlined);
  }

  /** Returns the remote that has a route. */
  of({ remote: { name } }: RegisteredRoute): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases);
    this.#remotes.set(name, remote);
    return remote;
  }
}
