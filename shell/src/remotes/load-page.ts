import type { RegisteredRemote, RegisteredRoute } from '@daybook/contract';
import type { PageModule, RemoteDefinition } from '@daybook/platform/define-remote';
import { loadDefinition } from './federation-host.ts';

const definitions = new Map<string, Promise<RemoteDefinition>>();
const pages = new Map<string, Promise<PageModule>>();

/** Keeps what succeeds, and what is under way; forgets a failure, so that the next call tries again. */
function once<Value>(kept: Map<string, Promise<Value>>, key: string, load: () => Promise<Value>): Promise<Value> {
  const known = kept.get(key);
  if (known) return known;
  const loading = load();
  kept.set(key, loading);
  loading.catch(() => kept.delete(key));
  return loading;
}

const definitionOf = (remote: RegisteredRemote) => once(definitions, remote.name, () => loadDefinition(remote));

/** A remote's page could not be loaded. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
  readonly remote: RegisteredRemote;

  constructor({ remote, route }: RegisteredRoute, cause: unknown) {
    super(`${route.path} of ${remote.name}@${remote.version} could not be loaded.`, { cause });
    this.remote = remote;
  }
}

async function loadFresh({ remote, route }: RegisteredRoute): Promise<PageModule> {
  const definition = await definitionOf(remote);
  const page = await definition.routes.find(({ path }) => path === route.path)?.page();
  if (typeof page?.default !== 'function')
    throw new Error(`${remote.name}@${remote.version} has no page for ${route.path}.`);
  return page;
}

/**
 * Loads the page of a route, once; a call after a failure tries again. Serves prefetching as well.
 *
 * @throws PageLoadError naming the remote
 */
export function loadPage(registered: RegisteredRoute): Promise<PageModule> {
  return once(pages, registered.route.path, async () => {
    try {
      return await loadFresh(registered);
    } catch (error) {
      throw new PageLoadError(registered, error);
    }
  });
}
