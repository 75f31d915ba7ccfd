import { apiParts, shellParts } from '@daybook/contract/parts';
import { expect, test } from '@jest/globals';
import { checkContract } from './contract.ts';

const uses = [...apiParts, ...shellParts];
const newer = { name: 'mf-offers', uses: [...uses, 'offer lottery', 'value lottery of selectOffers'] };

test('a release of the contract of the site passes, and what could not be asked is said', () => {
  expect(checkContract({ name: 'mf-offers', uses }, { shell: shellParts, api: apiParts })).toBeUndefined();
  expect(checkContract({ name: 'mf-offers' }, { shell: [], api: [] })).toBeUndefined();
  expect(checkContract(newer, {})).toBe('not compared with the shell and API of the site');
});

test('a release that uses more is refused with what is missing where, and what comes first', () => {
  expect(() => checkContract(newer, { shell: shellParts, api: apiParts })).toThrow(
    /^mf-offers uses what the shell of the site does not have: offer lottery\.\nmf-offers uses what the backend of the site does not have: value lottery of selectOffers\.\nRelease the shell and the backend first, then mf-offers\.$/,
  );
  expect(() => checkContract(newer, { shell: newer.uses, api: apiParts })).toThrow(/\nRelease the backend first, then/);
});
