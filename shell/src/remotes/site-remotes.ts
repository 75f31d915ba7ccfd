import type { PageReport } from '@daybook/contract/page';
import type { RegisteredRoute, RemoteIndex } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { KnownReleases } from './known-releases.ts';
import { isTimeout } from './load-timeout.ts';
import { sendReport } from './report.ts';
import { RunningRelease } from './running-release.ts';

/** Thrown when a remote's page could not be loaded from any available release. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
  /** The release that failed. */
  readonly version: string;

  constructor({ remote, version, route }: Omit<PageReport, 'kind'>, cause: unknown) {
    super(`${route} of ${remote}@${version} could not be loaded.`, { cause });
    this.version = version;
  }
}

/** A page of a remote, with the version of its release. */
export interface LoadedPage {
  readonly page: PageModule;
  readonly version: string;
}

/**
 * A remote on this page, running one release at a time. Selects the newest release on first use and retains it as long
 * as the page lives; replaces it, completely, only after a failure.
 */
export class RemoteOnPage {
  readonly #name: string;
  readonly #releases: KnownReleases;
  /** The newest release when the remote was first used; selected again after a failure. */
  #selected: Promise<RunningRelease | undefined> | undefined;
  /** The release of the page that was returned last. */
  #running: RunningRelease | undefined;
  /** Versions whose pages threw; excluded until the visitor retries. */
  readonly #broken = new Set<string>();

  constructor(name: string, releases: KnownReleases) {
    this.#name = name;
    this.#releases = releases;
  }

  get version(): string {
    return (this.#running ?? this.#releases.find(this.#name))?.version ?? '';
  }

  /**
   * Loads the page of a route for a navigation: with one immediate retry, then from another release. Neither after a
   * timeout, which is no failure of the release.
   *
   * @param signal aborted when the visitor navigates away: from then on nothing is run or reported. Without one, the page
   *   is the document's own.
   * @returns `undefined` if the release no longer has the route: only the server knows which remote serves it now
   * @throws PageLoadError, or the signal's reason
   */
  async load(path: string, signal?: AbortSignal): Promise<LoadedPage | undefined> {
    const first = await this.#start().catch((error: unknown) => {
      // Not reported against the release: the remote index failed, and no file of the release was requested.
      throw new PageLoadError({ remote: this.#name, version: this.version, route: path }, error);
    });
    signal?.throwIfAborted();
    if (this.#releases.isPollDue) this.#releases.poll().catch(() => undefined);
    if (!first?.mayHave(path)) return undefined;
    try {
      return this.#handOut(first, await first.loadWithRetry(path, signal), signal);
    } catch (error) {
      signal?.throwIfAborted();
      const other = isTimeout(error) ? undefined : await this.#loadOther('load', path, first.version, signal);
      if (other) return other;
      this.#selected = undefined;
      throw new PageLoadError({ remote: this.#name, version: first.version, route: path }, error);
    }
  }

  /** Downloads the page of a route, without running any of it, or a retry. Ignores failures: the load reports them. */
  async prefetch(path: string): Promise<void> {
    try {
      const first = await this.#start();
      if (first?.mayHave(path)) await first.download(path);
    } catch {}
  }

  /**
   * Called after a page threw during rendering: replaces its release with another one.
   *
   * @param signal aborted when the visitor navigates away
   * @returns whether another release has the page; `load` returns it from now on
   * @throws the signal's reason
   */
  async recover(path: string, signal: AbortSignal): Promise<boolean> {
    const { version } = this;
    this.#broken.add(version);
    return (await this.#loadOther('render', path, version, signal)) !== undefined;
  }

  /**
   * Resets all failures, and polls for the newest release for the load that follows. Only call it while no page of the
   * remote is shown.
   */
  startAnew(): void {
    this.#broken.clear();
    void this.#select(true);
  }

  /** Returns the running release, or selects the newest one; `undefined` if the remote no longer exists. */
  async #start(): Promise<RunningRelease | undefined> {
    return this.#running ?? this.#selected ?? this.#select();
  }

  #select(polls?: boolean): Promise<RunningRelease | undefined> {
    const selected = this.#releases
      .newest(this.#name, polls)
      .then((newest) => newest && new RunningRelease(this.#name, newest));
    this.#selected = selected;
    this.#running = undefined;
    // Without a release, the next load selects again.
    const reset = () => {
      if (this.#selected === selected) this.#selected = undefined;
    };
    selected.then((found) => found ?? reset(), reset);
    return selected;
  }

  /**
   * Reports a failed release, and loads its page from the current active release or its predecessor, except releases that
   * failed here.
   */
  async #loadOther(
    failure: PageReport['kind'],
    path: string,
    failed: string,
    signal?: AbortSignal,
  ): Promise<LoadedPage | undefined> {
    this.#report(failure, path, failed);
    await this.#releases.poll().catch(() => undefined);
    signal?.throwIfAborted();
    const newest = this.#releases.find(this.#name);
    for (const release of [newest, newest?.previous]) {
      if (!release?.integrity || release.version === failed || this.#broken.has(release.version)) continue;
      const other = new RunningRelease(this.#name, release);
      if (!other.mayHave(path)) continue;
      try {
        return this.#handOut(other, await other.loadWithRetry(path, signal), signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (isTimeout(error)) return undefined;
        this.#report('load', path, release.version);
      }
    }
    return undefined;
  }

  /**
   * Returns a loaded page, and makes its release the running one.
   *
   * @throws the signal's reason: the visitor may see a page of another release by now
   */
  #handOut(release: RunningRelease, page: PageModule, signal?: AbortSignal): LoadedPage {
    signal?.throwIfAborted();
    this.#running = release;
    return { page, version: release.version };
  }

  #report(kind: PageReport['kind'], route: string, version: string): void {
    sendReport({ remote: this.#name, version, route, kind });
  }
}

/** The remotes of the site on this page. */
export class SiteRemotes {
  readonly #releases: KnownReleases;
  readonly #remotes = new Map<string, RemoteOnPage>();

  /** @param inlined the remote index in the page's HTML */
  constructor(inlined: RemoteIndex) {
    this.#releases = new KnownReleases(inlined);
  }

  /** Returns the remote that has a route. */
  of({ remote: { name } }: RegisteredRoute): RemoteOnPage {
    const remote = this.#remotes.get(name) ?? new RemoteOnPage(name, this.#releases);
    this.#remotes.set(name, remote);
    return remote;
  }
}
