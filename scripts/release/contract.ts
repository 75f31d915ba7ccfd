import { missingInApi, missingInShell } from '@daybook/contract/parts';
import type { Release } from '@daybook/contract/release';
import { CommandError } from '@daybook/server/command-line';

/** What a site states that it has of the contract; `undefined` of a part that could not be asked. */
export interface SiteContract {
  readonly shell?: readonly string[] | undefined;
  readonly api?: readonly string[] | undefined;
}

/**
 * Checks that a site has what a release uses of the contract: calls, values, settings and offers.
 *
 * @returns what could not be compared, for people
 * @throws CommandError naming what is missing, and what is to be released first
 */
export function checkContract({ name, uses = [] }: Pick<Release, 'name' | 'uses'>, { shell, api }: SiteContract) {
  const missing = [
    { part: 'the shell', lacks: shell && missingInShell(uses, shell) },
    { part: 'the backend', lacks: api && missingInApi(uses, api) },
  ].filter(({ lacks }) => lacks !== undefined);
  if (missing.length > 0)
    throw new CommandError(
      [
        ...missing.map(({ part, lacks }) => `${name} uses what ${part} of the site does not have: ${lacks}.`),
        `Release ${missing.map(({ part }) => part).join(' and ')} first, then ${name}.`,
      ].join('\n'),
    );
  const unknown = [shell ? [] : 'shell', api ? [] : 'API'].flat();
  return unknown.length > 0 ? `not compared with the ${unknown.join(' and ')} of the site` : undefined;
}
