import { type OfferId, offerIds, type SiteSettings } from '../site.ts';

const mailbox = 'settings-support-mailbox';
const host = 'settings-support-host.invalid';
const urlOf = (name: string) => `https://settings-${name}.invalid/`;

/**
 * Placeholder site settings for rendering fragments and frames, which the shell server replaces. Pages must show a setting
 * unchanged; only an email address may be split at its @.
 */
export const fragmentSettings = {
  supportAddress: `${mailbox}@${host}`,
  sponsorAddresses: Object.fromEntries(offerIds.map((id) => [id, urlOf(id)])) as Record<OfferId, string>,
  housingGuideAddress: urlOf('housing-guide'),
  // As an attribute's value, for styles.
  privacyRequests: 'settings-privacy-requests' as string as SiteSettings['privacyRequests'],
  year: 'settings-current-year',
} as const satisfies SiteSettings;

/** Returns pairs of a placeholder in fragments and its replacement, both plain text without HTML. */
export function fragmentReplacements({
  supportAddress,
  sponsorAddresses,
  housingGuideAddress,
  privacyRequests,
  year = '',
}: SiteSettings): readonly (readonly [string, string])[] {
  const [ownMailbox = '', ownHost = ''] = supportAddress.split('@');
  return [
    [mailbox, ownMailbox],
    [host, ownHost],
    ...offerIds.map((id) => [fragmentSettings.sponsorAddresses[id], sponsorAddresses[id] ?? ''] as const),
    [fragmentSettings.housingGuideAddress, housingGuideAddress],
    [fragmentSettings.privacyRequests, privacyRequests],
    [fragmentSettings.year, year],
  ];
}
