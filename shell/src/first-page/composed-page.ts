import { findRoute, type RegisteredRoute, type Registry } from '@daybook/contract';

/**
 * What the server has put into the root: `nothing`; a page of the shell's own, such as the one for an unknown path; or
 * the page of a release.
 */
export type ComposedPage =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'own' }
  | { readonly kind: 'of a release'; readonly registered: RegisteredRoute; readonly version: string };

/** Reads what page the document came with. */
export function readComposedPage(root: HTMLElement, registry: Registry, path: string): ComposedPage {
  const [name, version] = root.querySelector<HTMLElement>('[data-remote]')?.dataset.remote?.split('@') ?? [];
  const registered = findRoute(registry, path);
  if (version && registered && registered.remote.name === name) return { kind: 'of a release', registered, version };
  // An address that the browser reads in another way than the server did: the router decides.
  const isOwn = root.hasChildNodes() && !version && !registered;
  return { kind: isOwn ? 'own' : 'nothing' };
}
