import { expect, test } from '@jest/globals';
import { siteSettingsSchema } from './server.ts';
import { defaultSiteSettings } from './site.ts';

const sponsorAddresses = (audien: string) => ({
  sponsorAddresses: { ...defaultSiteSettings.sponsorAddresses, audien },
});

test.each<[object, boolean]>([
  [{ housingGuideAddress: 'https://sponsor.example/offer?id=1' }, true],
  [{ housingGuideAddress: 'http://localhost:9000/' }, true],
  ...['', 'support', 'a b@daybook.example'].map((supportAddress): [object, boolean] => [{ supportAddress }, false]),
  ...['', '//sponsor.example', 'javascript:alert(1)', 'data:text/html,x', 'https:sponsor.example'].flatMap(
    (url): [object, boolean][] => [
      [{ housingGuideAddress: url }, false],
      [sponsorAddresses(url), false],
    ],
  ),
])('site settings with %j are valid: %p', (changes, isValid) => {
  expect(siteSettingsSchema.safeParse({ ...defaultSiteSettings, ...changes }).success).toBe(isValid);
});
