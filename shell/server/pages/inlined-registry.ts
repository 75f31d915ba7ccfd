import type { Registry } from '@daybook/contract';

/**
 * The registry as a page carries it: with integrity values for the remote that the page belongs to alone. The
 * others' are asked for with the registry of the moment when they are first needed, so that they weigh on no first load.
 */
export function inlinedRegistry({ remotes, missing }: Registry, owner: string | undefined): Registry {
  return {
    missing,
    remotes: remotes.map(({ previous: _, integrity, ...remote }) =>
      remote.name === owner && integrity ? { ...remote, integrity } : remote,
    ),
  };
}
