import { expect, test } from '@jest/globals';
import { siteSettingsSchema } from '../site-settings.ts';
import { fragmentReplacements, fragmentSettings } from './fragment-settings.ts';

const settings = {
  supportAddress: 'help@publisher.example',
  sponsorAddresses: {
    grocery: 'https://a.example/?x=1&y=2',
    vivint: 'https://b.example/',
    audien: 'https://c.example/',
    tmobile: 'https://d.example/',
  },
  housingGuideAddress: 'https://e.example/',
  privacyRequests: 'record',
} as const;

test('what stands for the settings is itself one of each', () => {
  expect(siteSettingsSchema.parse(fragmentSettings)).toEqual(fragmentSettings);
});

test('what stands for each setting that a page can show has something to take its place', () => {
  const filled = fragmentReplacements(settings).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, value),
    JSON.stringify({ ...fragmentSettings, privacyRequests: 'record' }),
  );
  expect(JSON.parse(filled)).toEqual(settings);
});

test('an address that a page divides at its @ is found in both parts', () => {
  const [mailbox, host] = fragmentSettings.supportAddress.split('@');
  const replacements = new Map(fragmentReplacements(settings));
  expect([replacements.get(String(mailbox)), replacements.get(String(host))]).toEqual(['help', 'publisher.example']);
});

test('nothing that stands for a setting is a part of another', () => {
  const placeholders = fragmentReplacements(settings).map(([placeholder]) => placeholder);
  for (const one of placeholders) expect(placeholders.filter((other) => other.includes(one))).toEqual([one]);
});
