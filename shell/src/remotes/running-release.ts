import { type RegisteredPage, type RegisteredRelease, releaseFileUrl } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { type Container, loadContainer, loadPage } from './container.ts';
import { admitFiles } from './integrity.ts';
import { isTimeout } from './load-timeout.ts';
import { downloadFile, loadPageFile } from './page-files.ts';

/** Caches results and loads in progress; drops failures, so that the next call retries. */
function once<Value>(cache: Map<string, Promise<Value>>, key: string, load: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key);
  if (known) return known;
  const loading = load();
  cache.set(key, loading);
  loading.catch(() => cache.delete(key));
  return loading;
}

/** The remote index lists the routes of an active release; those of a previous one are known after loading it. */
type RunnableRelease = RegisteredRelease & { readonly routes?: readonly RegisteredPage[] };

/** A release of a remote on this page: its files, its container and pages, each loaded once. */
export class RunningRelease {
  readonly #release: RunnableRelease;
  readonly #name: string;
  readonly #downloads = new Map<string, Promise<void>>();
  readonly #files = new Map<string, Promise<void>>();
  readonly #container = new Map<'container', Promise<Container>>();
  readonly #pages = new Map<string, Promise<PageModule>>();

  constructor(name: string, release: RunnableRelease) {
    this.#name = name;
    this.#release = release;
    admitFiles(name, release);
  }

  get version(): string {
    return this.#release.version;
  }

  /** Returns whether the release has a route; `true` if its routes are not known yet. */
  mayHave(path: string): boolean {
    return this.#release.routes?.some((route) => route.path === path) ?? true;
  }

  /**
   * Downloads the entry and the files of a page, all at once, and runs none of them; a call after a failure retries.
   *
   * @throws Error if a file cannot be downloaded or does not match the release
   */
  async download(path: string): Promise<void> {
    if (this.#pages.has(path)) return;
    const { integrity = {}, entry } = this.#release;
    const downloads = [entry, ...this.#filesOf(path)].map(async (url) => {
      const value = integrity[url.slice(this.#folder.length)];
      // Without a value, the load fails.
      if (value) await once(this.#downloads, url, () => downloadFile(url, value));
    });
    await Promise.all(downloads);
  }

  get #folder(): string {
    return releaseFileUrl({ name: this.#name, version: this.version }, '');
  }

  /** Returns the URLs of a page's scripts and styles beside the entry, as far as they are known and can be verified. */
  #filesOf(path: string): readonly string[] {
    const { integrity = {}, routes = [] } = this.#release;
    const files = routes.find((route) => route.path === path)?.files ?? [];
    return files.filter((file) => Object.hasOwn(integrity, file)).map((file) => this.#folder + file);
  }

  /**
   * Loads the page of a route; a call after a failure retries.
   *
   * @param signal aborted when the visitor navigates away: nothing of the release runs from then on, if it has not begun.
   *   Without a signal, the page is the document's own, whose files the document preloads.
   * @throws Error if the entry, the page or one of its styles cannot be loaded or does not match the release, or if the
   *   release has no such page
   */
  async load(path: string, signal?: AbortSignal): Promise<PageModule> {
    if (signal) {
      await this.download(path);
      signal.throwIfAborted();
    }
    return once(this.#pages, path, async () => {
      const paths = signal ? this.#filesOf(path) : [];
      const files = Promise.all(paths.map((file) => once(this.#files, file, () => loadPageFile(file))));
      const loading = once(this.#container, 'container', () => loadContainer(this.#name, this.#release));
      // Before its chunks have run, the container would load them again.
      const [container] = await Promise.all([loading, files]);
      return loadPage(container, path);
    });
  }

  /** Loads the page of a route, with one immediate retry; none after a timeout, or for a visitor who has left. */
  async loadWithRetry(path: string, signal?: AbortSignal): Promise<PageModule> {
    try {
      return await this.load(path, signal);
    } catch (error) {
      if (isTimeout(error) || signal?.aborted) throw error;
      return this.load(path, signal);
    }
  }
}
