import { expect, test } from '@jest/globals';
import { offerIds } from '../site.ts';
import { fragmentReplacements, fragmentSettings } from './fragment-settings.ts';

const settings = {
  supportAddress: 'help@publisher.example',
  sponsorAddresses: Object.fromEntries(offerIds.map((id) => [id, `https://${id}.example/?x=1&y=2`])),
  housingGuideAddress: 'https://e.example/',
  privacyRequests: 'record',
  year: '2026',
} as const;

test('each setting that a page can show has a replacement for its placeholder', () => {
  const filled = fragmentReplacements(settings).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    JSON.stringify(fragmentSettings),
  );
  expect(JSON.parse(filled)).toEqual(settings);
});

test('no placeholder is a part of another', () => {
  const placeholders = fragmentReplacements(settings).map(([placeholder]) => placeholder);
  for (const one of placeholders) expect(placeholders.filter((other) => other.includes(one))).toEqual([one]);
});
