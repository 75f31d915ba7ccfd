import type { RegisteredPage, RegisteredRelease } from '@daybook/contract/release';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';

/** A remote's entry, in the form that the federation runtime requires. */
interface Container {
  init(shareScope: ShareScope): void;
  get(exposed: string): Promise<() => unknown>;
}

/** The modules that the shell provides, by name and version. */
type ShareScope = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type ScriptResponse = (() => void) | 'never';

type NamedRelease = RegisteredRelease & { readonly name: string };

/** Mocks the network for scripts: jsdom fetches none, so this responds to each script in the document like a server. */
export class ScriptNetwork {
  /** Requested addresses, in order. */
  readonly requests: string[] = [];
  /** Integrity values of the requests, in the same order. */
  readonly integrities: string[] = [];
  readonly #responses = new Map<string, ScriptResponse>();
  readonly #observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLScriptElement && node.src) this.#respond(node);
    }
  });

  constructor() {
    this.#observer.observe(document, { childList: true, subtree: true });
  }

  /**
   * Serves a release of a remote whose entry exposes this as its definition.
   *
   * @param init is called with the modules that the shell provides
   */
  serve({ name, version, entry }: NamedRelease, exposed: unknown, init: Container['init'] = () => undefined): void {
    this.#responses.set(entry, () => {
      let initialized: ShareScope | undefined;
      const container: Container = {
        init(shareScope) {
          if (initialized && initialized !== shareScope)
            throw new Error('Container initialization failed: already initialized with a different share scope.');
          initialized = shareScope;
          init(shareScope);
        },
        get: async () => () => exposed,
      };
      Reflect.set(globalThis, `${name}@${version}`, container);
    });
  }

  /** Serves a release of a remote with one page for each of its routes. */
  servePages(
    { routes, ...release }: NamedRelease & { readonly routes: readonly RegisteredPage[] },
    page: () => Promise<PageModule>,
  ): void {
    const definition: RemoteDefinition = {
      name: release.name,
      routes: routes.map(({ path, title, frame }) => ({
        path: path as `/${string}`,
        title,
        description: '',
        frame,
        page,
      })),
    };
    this.serve(release, { default: definition });
  }

  /** Serves an entry that does nothing. */
  serveEmpty({ entry }: RegisteredRelease): void {
    this.#responses.set(entry, () => undefined);
  }

  /** Never responds with a release's entry from now on. */
  hang({ entry }: RegisteredRelease): void {
    this.#responses.set(entry, 'never');
  }

  /** Responds with an error for a release's entry from now on. */
  lose(remote: RegisteredRelease): void {
    this.#responses.delete(remote.entry);
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #respond(script: HTMLScriptElement): void {
    const address = new URL(script.src).pathname;
    this.requests.push(address);
    this.integrities.push(script.integrity);
    const run = this.#responses.get(address);
    if (run === 'never') return;
    run?.();
    script.dispatchEvent(new Event(run ? 'load' : 'error'));
  }
}
