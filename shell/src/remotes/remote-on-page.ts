import type { PageReport } from '@daybook/contract';
import type { PageModule } from '@daybook/platform/define-remote';
import { PageLoadError } from './page-load-error.ts';
import { sendReport } from './report.ts';
import { RunningRelease } from './running-release.ts';
import type { SiteReleases } from './site-releases.ts';

/** A page of a remote, with the version of the release that it comes from. */
export interface LoadedPage {
  readonly page: PageModule;
  readonly version: string;
}

/**
 * A remote as this page runs it: one release of it at a time. The newest is taken when the remote is first needed,
 * and kept for as long as the page lives; another one takes its place, whole, only where it fails.
 */
export class RemoteOnPage {
  readonly #name: string;
  readonly #releases: SiteReleases;
  readonly #leaveTo: (address: string) => void;
  #running: RunningRelease | undefined;
  #starting: Promise<RunningRelease | undefined> | undefined;
  #recovering: Promise<boolean> | undefined;
  /** Whether a page of the running release has been handed out. */
  #inUse = false;
  #pollsFirst = false;
  /** Versions whose pages threw; not taken again until the visitor tries again. */
  readonly #broken = new Set<string>();
  /** Versions of which a view has been counted. */
  readonly #counted = new Set<string>();

  /** @param leaveTo goes to an address by a new document from the server */
  constructor(name: string, releases: SiteReleases, leaveTo: (address: string) => void) {
    this.#name = name;
    this.#releases = releases;
    this.#leaveTo = leaveTo;
  }

  get version(): string {
    return this.#running?.version ?? this.#releases.find(this.#name)?.version ?? '';
  }

  /**
   * Loads the page of a route for a navigation: with one quick second try, then from another release. Where the release
   * no longer has the route, the browser goes to the address by itself, since the server knows who serves it now, and
   * the promise stays open.
   *
   * @throws PageLoadError
   */
  async load(path: string, { url, signal }: Pick<Request, 'url' | 'signal'>): Promise<LoadedPage> {
    const first = await this.#start().catch((error: unknown) => {
      // No file of the release was asked for: what failed was to learn of it, which says nothing against it.
      throw new PageLoadError({ remote: this.#name, version: this.version, route: path }, error);
    });
    void this.#releases.pollIfDue();
    if (!first?.mayHave(path)) {
      if (!signal.aborted) this.#leaveTo(url);
      return new Promise(() => undefined);
    }
    this.#countView(path, first.version);
    try {
      return this.#handOut(first, await first.loadWithRetry(path), signal);
    } catch (error) {
      this.#report('load', path, first.version);
      const other = await this.#loadOther(path, first.version, signal);
      if (other) return other;
      if (!this.#inUse) this.#running = undefined;
      return this.#fail(path, first.version, error);
    }
  }

  /** What `load` will give, where nothing has to be waited for. */
  loaded(path: string): LoadedPage | undefined {
    const page = this.#running?.mayHave(path) ? this.#running.loaded(path) : undefined;
    return page && { page, version: this.version };
  }

  /** Loads the page of a route ahead of its need, without a second try. A failure is no news: the load itself tells. */
  async prefetch(path: string): Promise<void> {
    try {
      const running = await this.#start();
      if (running?.mayHave(path)) await running.load(path);
    } catch {}
  }

  /**
   * After a page threw while it was rendered: makes another release take the place of the one it came from.
   *
   * @returns whether there is one that has the page; it is what `load` gives from then on
   */
  recover(path: string): Promise<boolean> {
    this.#recovering ??= this.#replaceBroken(path).finally(() => {
      this.#recovering = undefined;
    });
    return this.#recovering;
  }

  /** Forgets what has failed: the next load takes the newest release there is. Only while no page of the remote is shown. */
  startAnew(): void {
    this.#running = undefined;
    this.#inUse = false;
    this.#broken.clear();
    this.#pollsFirst = true;
  }

  /** The release that this page runs, or the newest, which it runs from now on; `undefined` where the remote is no longer there. */
  async #start(): Promise<RunningRelease | undefined> {
    if (this.#running) return this.#running;
    this.#starting ??= this.#startNewest().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startNewest(): Promise<RunningRelease | undefined> {
    const isCheckable = () => this.#releases.find(this.#name)?.integrity !== undefined;
    await (this.#pollsFirst || !isCheckable() ? this.#releases.poll() : this.#releases.pollIfDue());
    // One quick second try, as with the files of a release.
    if (!isCheckable()) await this.#releases.poll();
    const newest = this.#releases.find(this.#name);
    if (!newest) return undefined;
    if (!newest.integrity)
      throw new Error(`${this.#name}@${newest.version} can't be checked: its integrity values could not be learnt.`);
    this.#pollsFirst = false;
    this.#running = new RunningRelease(this.#name, newest);
    return this.#running;
  }

  async #replaceBroken(path: string): Promise<boolean> {
    const { version } = this;
    this.#broken.add(version);
    this.#report('render', path, version);
    return (await this.#loadOther(path, version)) !== undefined;
  }

  /** Loads a page from the active release of this moment, or the one before it, whichever has not failed here. */
  async #loadOther(path: string, failed: string, signal?: AbortSignal): Promise<LoadedPage | undefined> {
    await this.#releases.poll();
    const newest = this.#releases.find(this.#name);
    for (const release of [newest, newest?.previous]) {
      if (!release?.integrity || release.version === failed || this.#broken.has(release.version)) continue;
      const other = new RunningRelease(this.#name, release);
      if (!other.mayHave(path)) continue;
      try {
        return this.#handOut(other, await other.loadWithRetry(path), signal);
      } catch {
        this.#report('load', path, release.version);
      }
    }
    return undefined;
  }

  /** A page that nobody waits for any more changes nothing: the visitor may see one of another release by now. */
  #handOut(from: RunningRelease, page: PageModule, signal?: AbortSignal): LoadedPage {
    if (!signal?.aborted) {
      this.#running = from;
      this.#inUse = true;
    }
    return { page, version: from.version };
  }

  /** The server has counted the page that it served; that this page came to the remote by itself, it must be told. */
  #countView(route: string, version: string): void {
    if (this.#counted.has(version)) return;
    this.#counted.add(version);
    if (!this.#releases.isServed(this.#name, version)) this.#report('view', route, version);
  }

  #report(kind: PageReport['kind'], route: string, version: string): void {
    sendReport({ remote: this.#name, version, route, kind });
  }

  #fail(route: string, version: string, cause: unknown): never {
    this.#report('load', route, version);
    throw new PageLoadError({ remote: this.#name, version, route }, cause);
  }
}
