import { describe, expect, test } from '@jest/globals';
import { siteSettingsSchema } from './server.ts';
import { defaultSiteSettings, pageTitle } from './site.ts';

const accepts = (changes: object) => siteSettingsSchema.safeParse({ ...defaultSiteSettings, ...changes }).success;

describe('site settings', () => {
  test.each(['', 'support', 'a b@daybook.example'])('rejects the support address %p', (supportAddress) => {
    expect(accepts({ supportAddress })).toBe(false);
  });

  test.each(['https://sponsor.example/offer?id=1', 'http://localhost:9000/'])(
    'accepts %p as the address of an offer',
    (housingGuideAddress) => {
      expect(accepts({ housingGuideAddress })).toBe(true);
    },
  );

  test.each(['', '//sponsor.example', 'javascript:alert(1)', 'data:text/html,x', 'https:sponsor.example'])(
    'rejects %p as the address of an offer',
    (address) => {
      expect(accepts({ housingGuideAddress: address })).toBe(false);
      expect(accepts({ sponsorAddresses: { ...defaultSiteSettings.sponsorAddresses, audien: address } })).toBe(false);
    },
  );
});

test.each([
  [{ path: '/', title: 'The money morning' }, 'Daybook: The money morning'],
  [{ path: '/terms', title: 'Terms of Service' }, 'Terms of Service | Daybook'],
  [undefined, '404 Page Not Found | Daybook'],
])('the document title of %p is %p', (route, title) => {
  expect(pageTitle(route)).toBe(title);
});
