import { fragmentReplacements, fragmentSettings, type SiteSettings, siteSettingsSchema } from '@daybook/contract';
import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { escapeHtml } from '../html.ts';
import { fillInSettings } from './composed-page.ts';

const texts = ({ supportAddress, sponsorAddresses, housingGuideAddress }: SiteSettings) => [
  supportAddress,
  ...Object.values(sponsorAddresses),
  housingGuideAddress,
];

/** Texts that could be taken for a placeholder, a replacement pattern or markup. */
const hostileText = fc.oneof(
  fc.string(),
  fc.constantFrom('$&', '$1', '$`', '"><script>', "'", '&amp;', '<!--'),
  fc.constantFrom(...texts(fragmentSettings), ...fragmentReplacements(fragmentSettings).flat()),
);
const webAddress = hostileText.map((text) => `https://a.example/?${text}`);
const anySettings: fc.Arbitrary<SiteSettings> = fc
  .record({
    supportAddress: fc.tuple(hostileText, hostileText).map((parts) => parts.join('@')),
    sponsorAddresses: fc.record({ grocery: webAddress, vivint: webAddress, audien: webAddress, tmobile: webAddress }),
    housingGuideAddress: webAddress,
    privacyRequests: fc.constantFrom('simulate' as const, 'record' as const),
  })
  .filter((settings) => siteSettingsSchema.safeParse(settings).success);

test('each setting takes its own place, as text and in attributes, whatever the settings hold', () => {
  fc.assert(
    fc.property(anySettings, (settings) => {
      const fragment = (of: SiteSettings) =>
        texts(of)
          .map((text) => `<a title="${escapeHtml(text)}">${escapeHtml(text)}</a>`)
          .join('');
      expect(fillInSettings(fragment(fragmentSettings), settings)).toBe(fragment(settings));
    }),
  );
});

test('HTML without a placeholder stays as it is', () => {
  fc.assert(
    fc.property(anySettings, fc.string(), (settings, html) => expect(fillInSettings(html, settings)).toBe(html)),
  );
});
