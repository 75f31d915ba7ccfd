import type { PublicRegistry, RegisteredRoute } from '@daybook/contract/release';
import { RemoteOnPage } from './remote-on-page.ts';
import { SiteReleases } from './site-releases.ts';

/** The remotes of the site on this page. */
export class SiteRemotes {
  readonly #releases: SiteReleases;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /** @param inlined the registry in the page's HTML */
  constructor(inlined: PublicRegistry) {
    this.#releases = new SiteReleases(inlined);
  }

  /** Returns the remote that has a route. */
  of({ remote: { name } }: RegisteredRoute): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases);
    this.#remotes.set(name, remote);
    return remote;
  }
}
