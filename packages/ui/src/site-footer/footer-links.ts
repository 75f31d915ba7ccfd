export interface FooterGroup {
  readonly heading: string;
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** Every link that section 2 of the product document puts into the footer. */
export const footerGroups: readonly FooterGroup[] = [
  {
    heading: 'Newsletter',
    links: [
      { href: '/', label: 'Home' },
      { href: '/#features', label: 'Features' },
      { href: '/unsubscribe', label: 'Unsubscribe' },
      { href: '/accessible-view', label: 'Accessible View' },
    ],
  },
  {
    heading: 'Legal',
    links: [
      { href: '/terms', label: 'Terms of Service' },
      { href: '/privacy-policy', label: 'Privacy Policy' },
      { href: '/cookie-policy', label: 'Cookie Policy' },
      { href: '/e-consent', label: 'Electronic Communications Consent' },
      { href: '/california-privacy-notice', label: 'California Privacy Notice' },
    ],
  },
  {
    heading: 'Your privacy choices',
    links: [
      { href: '/ca-unsubscribe', label: 'California Unsubscribe' },
      { href: '/privacy-rights-request', label: 'Privacy Rights Request' },
      { href: '/profiling-opt-out', label: 'Profiling Opt-Out' },
      { href: '/targeted-opt-out', label: 'Targeted Advertising Opt-Out' },
      { href: '/limit-sensitive-info', label: 'Limit Use of Sensitive Information' },
    ],
  },
];
