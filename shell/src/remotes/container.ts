import { exposedName, type RegisteredRelease } from '@daybook/contract/release';
import type { PageModule } from '@daybook/platform/page';
import { verifiedElement } from './integrity.ts';
import { addElement } from './page-files.ts';
import { shareScope } from './shared-modules.ts';

/** What a remote's entry provides: a container of Module Federation. */
export interface Container {
  init(shareScope: object): Promise<void> | undefined;
  get(exposed: string): Promise<() => unknown>;
}

/**
 * Runs the entry of a release. Each call runs it anew: a container can be initialized only once, and remembers failed modules
 * as empty ones.
 *
 * @throws Error if the entry cannot be loaded, or has no container
 */
export async function loadContainer(name: string, { version, entry }: RegisteredRelease): Promise<Container> {
  // The entry sets this property of `globalThis`, see the release's build.
  const globalName = `${name}@${version}`;
  try {
    const script = verifiedElement(document.createElement('script'), entry);
    await addElement(script, entry).finally(() => script.remove());
    const container: Container | undefined = Reflect.get(globalThis, globalName);
    if (!container) throw new Error(`${entry} has no container ${globalName}.`);
    await container.init(shareScope);
    return container;
  } finally {
    Reflect.deleteProperty(globalThis, globalName);
  }
}

/**
 * Returns the page of a route from its remote's container.
 *
 * @throws Error if the container has none, or a file of it cannot be loaded
 */
export async function loadPage(container: Container, path: string): Promise<PageModule> {
  const page = (await container.get(exposedName(path)))() as PageModule;
  if (typeof page?.default !== 'function') throw new Error(`The remote exposes no page for ${path}.`);
  return page;
}
