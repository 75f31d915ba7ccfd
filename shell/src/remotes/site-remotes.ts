import type { PageReport } from '@daybook/contract/page';
import type { RegisteredRoute, RemoteIndex } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { KnownReleases } from './known-releases.ts';
import { isTimeout } from './load-timeout.ts';
import { sendReport } from './report.ts';
import { RunningRelease } from './running-release.ts';

/** A remote's page could not be loaded from any release. */
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

/** A remote on this page. It runs the release that was the newest on first use, and another one only after a failure. */
export class RemoteOnPage {
  readonly #name: string;
  readonly #releases: KnownReleases;
  #release: Promise<RunningRelease | undefined> | undefined;
  /** The version of the page that was returned last. */
  #version: string | undefined;
  /** Versions whose pages threw, until the visitor tries again. */
  readonly #broken = new Set<string>();

  constructor(name: string, releases: KnownReleases) {
    this.#name = name;
    this.#releases = releases;
  }

  get version(): string {
    return this.#version ?? this.#releases.find(this.#name)?.version ?? '';
  }

  /**
   * Loads the page of a route, with one retry and then from another release. After a timeout neither would help.
   *
   * @param signal aborted when the visitor leaves; without one, the page is the document's own
   * @returns `undefined` if the release no longer has the route: only the server knows which remote has it now
   * @throws PageLoadError, or the signal's reason
   */
  async load(path: string, signal?: AbortSignal): Promise<LoadedPage | undefined> {
    const first = await this.#start().catch((error: unknown) => {
      throw this.#errorOf(path, this.version, error);
    });
    signal?.throwIfAborted();
    if (this.#releases.isPollDue) this.#releases.poll().catch(() => undefined);
    if (!first?.mayHave(path)) return undefined;
    try {
      return await this.#run(first, path, signal);
    } catch (error) {
      signal?.throwIfAborted();
      const other = isTimeout(error) ? undefined : await this.#loadOther('load', path, first.version, signal);
      if (other) return other;
      this.#release = undefined;
      throw this.#errorOf(path, first.version, error);
    }
  }

  /** Downloads the page of a route and runs none of it. Ignores failures: the load reports them. */
  async prefetch(path: string): Promise<void> {
    try {
      const first = await this.#start();
      if (first?.mayHave(path)) await first.download(path);
    } catch {}
  }

  /**
   * Replaces the release whose page threw while it rendered.
   *
   * @returns whether another release has the page; `load` returns it from now on
   * @throws the signal's reason
   */
  async recover(path: string, signal: AbortSignal): Promise<boolean> {
    const { version } = this;
    this.#broken.add(version);
    return (await this.#loadOther('render', path, version, signal)) !== undefined;
  }

  /** Forgets all failures, and polls for the newest release. Only call it while no page of the remote is shown. */
  startAnew(): void {
    this.#broken.clear();
    void this.#start(true);
  }

  /** Returns the running release, or selects the newest one; `undefined` if the remote no longer exists. */
  #start(polls?: true): Promise<RunningRelease | undefined> {
    if (this.#release && !polls) return this.#release;
    const selected = this.#releases
      .newest(this.#name, polls)
      .then((newest) => newest && new RunningRelease(this.#name, newest));
    this.#release = selected;
    const reset = () => {
      if (this.#release === selected) this.#release = undefined;
    };
    selected.then((found) => found ?? reset(), reset);
    return selected;
  }

  /** Reports a failed release, and loads its page from the active release or the one before, unless these failed too. */
  async #loadOther(kind: PageReport['kind'], path: string, failed: string, signal?: AbortSignal) {
    sendReport({ remote: this.#name, version: failed, route: path, kind });
    await this.#releases.poll().catch(() => undefined);
    signal?.throwIfAborted();
    const newest = this.#releases.find(this.#name);
    for (const release of [newest, newest?.previous]) {
      if (!release?.integrity || release.version === failed || this.#broken.has(release.version)) continue;
      const other = new RunningRelease(this.#name, release);
      if (!other.mayHave(path)) continue;
      try {
        return await this.#run(other, path, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (isTimeout(error)) return undefined;
        sendReport({ remote: this.#name, version: release.version, route: path, kind: 'load' });
      }
    }
    return undefined;
  }

  /** Loads a page, and keeps its release unless the visitor has left: they may see a page of another one by now. */
  async #run(release: RunningRelease, path: string, signal?: AbortSignal): Promise<LoadedPage> {
    const page = await release.loadWithRetry(path, signal);
    signal?.throwIfAborted();
    this.#release = Promise.resolve(release);
    this.#version = release.version;
    return { page, version: release.version };
  }

  #errorOf(route: string, version: string, cause: unknown): PageLoadError {
    return new PageLoadError({ remote: this.#name, version, route }, cause);
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
