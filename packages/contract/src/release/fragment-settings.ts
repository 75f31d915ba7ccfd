import type { SiteSettings } from '../site.ts';

const mailbox = 'settings-support-mailbox';
const host = 'settings-support-host.invalid';
const addressOf = (name: string) => `https://settings-${name}.invalid/`;

/**
 * The site settings that fragments and frames are made with: each value stands for the operator's, which the shell
 * server puts in its place. So what a visitor reads without JavaScript is right, and nothing changes on hydration. A
 * page that shows a setting shows it as it is; an address may be divided at its @.
 */
export const fragmentSettings = {
  supportAddress: `${mailbox}@${host}`,
  sponsorAddresses: {
    grocery: addressOf('grocery'),
    vivint: addressOf('vivint'),
    audien: addressOf('audien'),
    tmobile: addressOf('tmobile'),
  },
  housingGuideAddress: addressOf('housing-guide'),
  privacyRequests: 'simulate',
} as const satisfies SiteSettings;

/** What stands in fragments for a setting, and what takes its place: pairs of texts, none of them HTML. */
export function fragmentReplacements({
  supportAddress,
  sponsorAddresses,
  housingGuideAddress,
}: SiteSettings): readonly (readonly [string, string])[] {
  const [ownMailbox = '', ownHost = ''] = supportAddress.split('@');
  return [
    [mailbox, ownMailbox],
    [host, ownHost],
    ...Object.entries(fragmentSettings.sponsorAddresses).map(
      ([id, address]) => [address, sponsorAddresses[id as keyof typeof sponsorAddresses]] as const,
    ),
    [fragmentSettings.housingGuideAddress, housingGuideAddress],
  ];
}
