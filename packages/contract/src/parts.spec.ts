import { expect, test } from '@jest/globals';
import { apiParts, missingInApi, missingInShell, shellParts, usedParts } from './parts.ts';
import { offerIds } from './site.ts';

const namesOf = (parts: readonly string[]) => parts.map((part) => part.replace(/ [0-9a-f]{8}$/, ''));
const offerParts = offerIds.map((id) => `offer ${id}`).sort();
/** Sources as remotes have them. */
const offerList = `
  import { offerIds, type SiteSettings } from '@daybook/contract/site';
  const availableOffers = ({ sponsorAddresses }: SiteSettings) => offerIds.filter((id) => sponsorAddresses[id]);`;
const picker = `
  import { pathOf, waitlistCalls } from '@daybook/contract/api';
  const { method, path } = waitlistCalls.selectOffers;`;

test.each<[string, string, readonly string[]]>([
  ['a list of offers', offerList, [...offerParts, 'setting sponsorAddresses']],
  ['a call by its name', picker, ['call selectOffers', ...offerIds.map((id) => `value ${id} of selectOffers`).sort()]],
  [
    'calls by name',
    'const { setStep, complete } = waitlistCalls; send(waitlistCalls.signUp);',
    ['call complete', 'call setStep', 'call signUp'],
  ],
  ['a setting', 'const { supportAddress } = useSiteSettings();', ['setting supportAddress']],
  ['words of other meanings', 'const complete = true; // a setting of the year', []],
])('the parts are found in sources with %s', (_what, source, parts) => {
  expect(namesOf(usedParts([source]))).toEqual(parts);
});

test('a site serves a release whose parts it has, and what another one lacks is named', () => {
  const needs = usedParts([offerList, picker]);
  expect(missingInShell(needs, shellParts)).toBeUndefined();
  expect(missingInApi(needs, [...apiParts, 'value lottery of selectOffers'])).toBeUndefined();
  const newer = [...needs, 'offer lottery', 'setting theme', 'value lottery of selectOffers'];
  expect(missingInShell(newer)).toBe('offer lottery, setting theme');
  expect(missingInApi(newer, apiParts)).toBe('value lottery of selectOffers');
  const older = apiParts.map((part) => (part.startsWith('call selectOffers ') ? 'call selectOffers 00000000' : part));
  expect(missingInApi(needs, older)).toBe('call selectOffers in another form');
  expect(
    missingInApi(
      needs,
      older.filter((part) => !part.startsWith('call')),
    ),
  ).toBe('call selectOffers');
});
