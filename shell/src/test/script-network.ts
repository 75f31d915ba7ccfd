import type { PageRoute, RegisteredRelease } from '@daybook/contract';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';

/** What a remote's entry puts on the page; as the federation runtime knows it. */
interface Container {
  init(): void;
  get(exposed: string): Promise<() => unknown>;
}

type ScriptAnswer = (() => void) | 'never';

type NamedRelease = RegisteredRelease & { readonly name: string };

/**
 * The network as scripts see it: jsdom fetches none, so each that is put into the document is answered here, as
 * a server would.
 */
export class ScriptNetwork {
  /** Addresses that were asked for, in order. */
  readonly requests: string[] = [];
  /** With which integrity values, in the same order. */
  readonly integrities: string[] = [];
  readonly #answers = new Map<string, ScriptAnswer>();
  readonly #observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLScriptElement && node.src) this.#answer(node);
    }
  });

  constructor() {
    this.#observer.observe(document, { childList: true, subtree: true });
  }

  /** Serves a release of a remote whose entry exposes this as its definition. */
  serve({ name, version, entry }: NamedRelease, exposed: unknown): void {
    const container: Container = { init: () => undefined, get: async () => () => exposed };
    this.#answers.set(entry, () => Reflect.set(globalThis, `${name}@${version}`, container));
  }

  /** Serves a release of a remote with one page for each of its routes. */
  servePages(
    { routes, ...release }: NamedRelease & { readonly routes: readonly PageRoute[] },
    page: () => Promise<PageModule>,
  ): void {
    const definition: RemoteDefinition = {
      name: release.name,
      routes: routes.map((route) => ({ ...route, path: route.path as `/${string}`, noIndex: false, page })),
    };
    this.serve(release, { default: definition });
  }

  /** From now on a release's entry never arrives. */
  hang({ entry }: RegisteredRelease): void {
    this.#answers.set(entry, 'never');
  }

  /** From now on a release's entry is gone. */
  lose(remote: RegisteredRelease): void {
    this.#answers.delete(remote.entry);
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #answer(script: HTMLScriptElement): void {
    const address = new URL(script.src).pathname;
    this.requests.push(address);
    this.integrities.push(script.integrity);
    const run = this.#answers.get(address);
    if (run === 'never') return;
    run?.();
    script.dispatchEvent(new Event(run ? 'load' : 'error'));
  }
}
