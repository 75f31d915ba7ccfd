import type { RegisteredRoute, Registry } from '@daybook/contract/release';
import { RemoteOnPage } from './remote-on-page.ts';
import { SiteReleases } from './site-releases.ts';

/** The remotes of the site on this page. */
export class SiteRemotes {
  readonly #releases: SiteReleases;
  readonly #reload: () => void;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /**
   * @param inlined the registry in the page's HTML
   * @param reload opens the current address as a new document from the server
   */
  constructor(inlined: Registry, reload = () => location.reload()) {
    this.#releases = new SiteReleases(inlined);
    this.#reload = reload;
  }

  /** Returns the remote that has a route. */
  of({ remote: { name } }: RegisteredRoute): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases, this.#reload);
    this.#remotes.set(name, remote);
    return remote;
  }
}
