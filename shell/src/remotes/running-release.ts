import { type RegisteredPage, type RegisteredRelease, releaseFileUrl } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { type Container, loadContainer, loadPage } from './container.ts';
import { admitFiles } from './integrity.ts';
import { isTimeout } from './load-timeout.ts';
import { downloadFile, loadPageFile } from './page-files.ts';

/** The remote index lists the routes of an active release; those of the one before are known once it is loaded. */
type RunnableRelease = RegisteredRelease & { readonly routes?: readonly RegisteredPage[] };

/** A release of a remote on this page: its files, its container and pages, each loaded once. */
export class RunningRelease {
  readonly #release: RunnableRelease;
  readonly #name: string;
  /** Results and loads in progress. */
  readonly #loads = new Map<string, Promise<unknown>>();

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
    if (this.#loads.has(`page ${path}`)) return;
    const { integrity = {}, entry } = this.#release;
    const downloads = [entry, ...this.#filesOf(path)].map(async (url) => {
      const value = integrity[url.slice(this.#folder.length)];
      // Without a value, the load fails.
      if (value) await this.#once(`download ${url}`, () => downloadFile(url, value));
    });
    await Promise.all(downloads);
  }

  /**
   * Loads the page of a route; a call after a failure retries.
   *
   * @param signal aborted when the visitor leaves: nothing of the release runs from then on, if it has not begun. Without a
   *   signal, the page is the document's own, whose files the document preloads.
   * @throws Error if a file cannot be loaded or does not match the release, or if the release has no such page
   */
  async load(path: string, signal?: AbortSignal): Promise<PageModule> {
    if (signal) {
      await this.download(path);
      signal.throwIfAborted();
    }
    return this.#once(`page ${path}`, async () => {
      const paths = signal ? this.#filesOf(path) : [];
      const files = Promise.all(paths.map((file) => this.#once(`file ${file}`, () => loadPageFile(file))));
      const loading = this.#once<Container>('container', () => loadContainer(this.#name, this.#release));
      // Before its chunks have run, the container would load them again.
      const [container] = await Promise.all([loading, files]);
      return loadPage(container, path);
    });
  }

  /** Loads the page of a route, with one retry; none after a timeout, or for a visitor who has left. */
  async loadWithRetry(path: string, signal?: AbortSignal): Promise<PageModule> {
    try {
      return await this.load(path, signal);
    } catch (error) {
      if (isTimeout(error) || signal?.aborted) throw error;
      return this.load(path, signal);
    }
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

  /** Drops failures, so that the next call retries. */
  #once<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#loads.get(key) as Promise<Value> | undefined;
    if (known) return known;
    const loading = load();
    this.#loads.set(key, loading);
    loading.catch(() => this.#loads.delete(key));
    return loading;
  }
}
