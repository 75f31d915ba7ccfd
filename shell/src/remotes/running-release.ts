import type { RegisteredPage, RegisteredRelease } from '@daybook/contract/release';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';
import { admitFiles } from './integrity.ts';
import { isTimeout } from './load-timeout.ts';
import { loadDefinition } from './remote-definition.ts';

/** Caches results and loads in progress; drops failures, so that the next call retries. */
function once<Value>(cache: Map<string, Promise<Value>>, key: string, load: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key);
  if (known) return known;
  const loading = load();
  cache.set(key, loading);
  loading.catch(() => cache.delete(key));
  return loading;
}

/** The registry lists the routes of an active release; those of a previous one are known after loading it. */
type RunnableRelease = RegisteredRelease & { readonly routes?: readonly RegisteredPage[] };

/** A release of a remote on this page: its definition and pages, each loaded once. */
export class RunningRelease {
  readonly #release: RunnableRelease;
  readonly #name: string;
  readonly #definition = new Map<'definition', Promise<RemoteDefinition>>();
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
   * Loads the page of a route; a call after a failure retries.
   *
   * @throws Error if the entry, the page or one of its styles cannot be loaded or does not match the release, or if the
   *   release has no such page
   */
  load(path: string): Promise<PageModule> {
    return once(this.#pages, path, async () => {
      const definition = await once(this.#definition, 'definition', () => loadDefinition(this.#name, this.#release));
      const page = await definition.routes.find((route) => route.path === path)?.page();
      if (typeof page?.default !== 'function')
        throw new Error(`${this.#name}@${this.version} has no page for ${path}.`);
      return page;
    });
  }

  /** Loads the page of a route, with one immediate retry; none after a timeout. */
  async loadWithRetry(path: string): Promise<PageModule> {
    try {
      return await this.load(path);
    } catch (error) {
      if (isTimeout(error)) throw error;
      return this.load(path);
    }
  }
}
