import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { apiParts, missingInApi, missingInShell, shellParts, usedParts } from './parts.ts';
import { offerIds } from './site.ts';

const root = path.join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const namesOf = (parts: readonly string[]) => parts.map((part) => part.replace(/ [0-9a-f]{8}$/, ''));

test('the parts are found in what remotes are built from', () => {
  const picker = namesOf(usedParts([read('mf-offers/src/continue-registration/use-offer-picker.ts')]));
  expect(picker).toEqual(['call selectOffers', ...offerIds.map((id) => `value ${id} of selectOffers`).sort()]);
  expect(usedParts([read('mf-offers/src/offers.ts')])).toEqual([
    ...offerIds.map((id) => `offer ${id}`).sort(),
    'setting sponsorAddresses',
  ]);
  expect(namesOf(usedParts([read('mf-signup/src/signup/use-signup.ts')]))).toEqual([
    'call complete',
    'call setStep',
    'call signUp',
  ]);
  const privacy = usedParts(
    ['process-request.ts', 'use-choice-form.ts'].map((file) => read(`mf-privacy/src/choice-form/${file}`)),
  );
  expect(namesOf(privacy)).toEqual(expect.arrayContaining(['call makePrivacyRequest', 'setting privacyRequests']));
  expect(usedParts([read('mf-legal/src/legal-page/legal-page.tsx')])).toEqual(['setting supportAddress']);
  expect(usedParts(['const complete = true; // a setting of the year'])).toEqual([]);
});

test('a site serves a release whose parts it has, and what another one lacks is named', () => {
  const needs = usedParts([
    read('mf-offers/src/offers.ts'),
    read('mf-offers/src/continue-registration/use-offer-picker.ts'),
  ]);
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
