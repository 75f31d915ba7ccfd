import type { RegisteredRemote } from '@daybook/contract';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';

/** What a remote's entry puts on the page; as the federation runtime knows it. */
interface Container {
  init(): void;
  get(exposed: string): Promise<() => unknown>;
}

type ScriptAnswer = () => void;

/**
 * The network as scripts see it: jsdom fetches none, so each that is put into the document is answered here, as
 * a server would.
 */
export class ScriptNetwork {
  /** Addresses that were asked for, in order. */
  readonly requests: string[] = [];
  readonly #answers = new Map<string, ScriptAnswer>();
  readonly #observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) {
      for (const node of addedNodes) if (node instanceof HTMLScriptElement && node.src) this.#answer(node);
    }
  });

  constructor() {
    this.#observer.observe(document, { childList: true, subtree: true });
  }

  /** Serves a remote whose entry exposes this as its definition. */
  serve(remote: RegisteredRemote, exposed: unknown): void {
    const container: Container = { init: () => undefined, get: async () => () => exposed };
    this.#answers.set(remote.entry, () => Reflect.set(globalThis, `${remote.name}@${remote.version}`, container));
  }

  /** Serves a remote with one page for each of its routes. */
  servePages({ routes, ...remote }: RegisteredRemote, page: () => Promise<PageModule>): void {
    const definition: RemoteDefinition = {
      name: remote.name,
      routes: routes.map((route) => ({ ...route, path: route.path as `/${string}`, noIndex: false, page })),
    };
    this.serve({ ...remote, routes }, { default: definition });
  }

  /** From now on a remote's entry is gone. */
  lose(remote: RegisteredRemote): void {
    this.#answers.delete(remote.entry);
  }

  stop(): void {
    this.#observer.disconnect();
  }

  #answer(script: HTMLScriptElement): void {
    const address = new URL(script.src).pathname;
    this.requests.push(address);
    const run = this.#answers.get(address);
    run?.();
    script.dispatchEvent(new Event(run ? 'load' : 'error'));
  }
}
