import { type RegisteredRemote, type Registry, registryAddress } from '@daybook/contract';
import { takeNonce } from './report.ts';

/** A page that is open for long polls for new releases once in this many ms at most. */
const pollInterval = 60_000;

/** In ms. */
const pollTimeout = 5_000;

function isRegistry(value: unknown): value is Registry {
  return typeof value === 'object' && value !== null && 'remotes' in value && Array.isArray(value.remotes);
}

async function fetchRegistry(): Promise<Registry> {
  const response = await fetch(registryAddress, { cache: 'no-cache', signal: AbortSignal.timeout(pollTimeout) });
  takeNonce(response.headers);
  const registry: unknown = response.ok ? await response.json() : undefined;
  if (!isRegistry(registry)) throw new Error(`${registryAddress} gave no registry, but ${response.status}.`);
  return registry;
}

/** The releases of the site, as far as this page has learnt: from its HTML, then from the registry of the moment. */
export class SiteReleases {
  readonly #served: { readonly name: string; readonly version: string } | undefined;
  #known: Registry;
  #polledAt = Date.now();
  #polling: Promise<void> | undefined;

  constructor(inlined: Registry) {
    this.#known = inlined;
    // The page carries the integrity values of the remote that it is a page of, and of no other.
    const own = inlined.remotes.find(({ integrity }) => integrity !== undefined);
    this.#served = own && { name: own.name, version: own.version };
  }

  /** Whether the server has served this document as a page of the release. */
  isServed(name: string, version: string): boolean {
    return this.#served?.name === name && this.#served.version === version;
  }

  /** A remote with its active release, as last learnt. */
  find(name: string): RegisteredRemote | undefined {
    return this.#known.remotes.find((remote) => remote.name === name);
  }

  /** Polls for new releases, unless this page did within the last minute. */
  async pollIfDue(): Promise<void> {
    if (Date.now() - this.#polledAt >= pollInterval) await this.poll();
  }

  /** Polls for new releases now. Where the poll fails, what is known stays. */
  poll(): Promise<void> {
    this.#polling ??= this.#learn().finally(() => {
      this.#polling = undefined;
    });
    return this.#polling;
  }

  async #learn(): Promise<void> {
    this.#polledAt = Date.now();
    try {
      this.#known = await fetchRegistry();
    } catch {
      // The site goes on with the releases that it knows; where that is not enough, the load says so.
    }
  }
}
