import { type RegisteredRemote, type Registry, registryAddress } from '@daybook/contract/release';
import { takeNonce } from './report.ts';

/** Minimum interval in ms between polls for new releases by a page that stays open. */
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
  if (!isRegistry(registry)) throw new Error(`${registryAddress} returned no registry (status ${response.status}).`);
  return registry;
}

/** The releases of the site known to this page: from its HTML, then from the current registry. */
export class SiteReleases {
  #known: Registry;
  #polledAt = Date.now();
  #polling: Promise<void> | undefined;

  constructor(inlined: Registry) {
    this.#known = inlined;
  }

  /** Returns a remote with its latest known active release. */
  find(name: string): RegisteredRemote | undefined {
    return this.#known.remotes.find((remote) => remote.name === name);
  }

  /** Polls for new releases, unless this page did within the last minute. */
  async pollIfDue(): Promise<void> {
    if (Date.now() - this.#polledAt >= pollInterval) await this.poll();
  }

  /** Polls for new releases now. If the poll fails, the known releases remain. */
  poll(): Promise<void> {
    this.#polledAt = Date.now();
    this.#polling ??= fetchRegistry()
      .then((registry) => {
        this.#known = registry;
      })
      // A load that needs more than the known releases reports the failure.
      .catch(() => undefined)
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }
}
