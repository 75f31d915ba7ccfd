import { site } from '@daybook/contract';
import { classNames } from './class-names.ts';
import styles from './frame.module.css';
import { wordmark } from './wordmark.ts';

interface LogoProps {
  readonly className?: string | undefined;
}

/**
 * Mark and name. The mark is a D made of a ledger's double margin line and half a sun: turned a quarter
 * to the left, the day rises over the double rule that closes an account. Drawn in the text's colour and the accent.
 */
function Logo({ className }: LogoProps) {
  return (
    <svg className={classNames(styles.logo, className)} viewBox="0 0 526 100" role="img" aria-label={site.name}>
      <path d="M0 6h6v76H0zM13 6h6v76h-6z" />
      <path className={styles.day} d="M26 6a38 38 0 0 1 0 76z" />
      <path transform="translate(90 77)" d={wordmark} />
    </svg>
  );
}

/** The logo as the way home, for headers. */
function HomeLink() {
  return (
    <a className={styles.home} href="/" aria-label={`${site.name}, home`}>
      <Logo />
    </a>
  );
}

/** The header of most pages: the logo, centred, and nothing else to choose from. */
export function SiteHeader() {
  return (
    <header className={styles.siteHeader}>
      <HomeLink />
    </header>
  );
}

/** The header of the privacy-choice pages: two ways back to the home page. */
export function PrivacyHeader() {
  return (
    <header className={styles.privacyHeader}>
      <div className={styles.privacyInner}>
        <HomeLink />
        <a className={styles.back} href="/">
          Back to Home
        </a>
      </div>
    </header>
  );
}

interface FooterGroup {
  readonly heading: string;
  readonly links: readonly { readonly href: string; readonly label: string }[];
}

/** Every link that section 2 of the product document puts into the footer. */
const footerGroups: readonly FooterGroup[] = [
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

export interface SiteFooterProps {
  /** Mailbox for questions, as the operator of the site set it. */
  readonly supportAddress: string;
}

/**
 * The foot of most pages: every legal and privacy page within one press, and who publishes this. The
 * copyright line has no year: a page made before New Year and read after it would contradict itself.
 */
export function SiteFooter({ supportAddress }: SiteFooterProps) {
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.publisher}>
          <Logo className={styles.smallLogo} />
          <address className={styles.address}>
            {site.postalAddress.map((line) => (
              <span key={line}>{line}</span>
            ))}
            <a href={`mailto:${supportAddress}`}>{supportAddress}</a>
          </address>
        </div>
        <nav className={styles.groups} aria-label="Footer">
          {footerGroups.map(({ heading, links }) => (
            <div key={heading}>
              <h2 className={styles.heading}>{heading}</h2>
              {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
              <ul role="list">
                {links.map(({ href, label }) => (
                  <li key={href}>
                    <a className={styles.link} href={href}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className={styles.small}>
          <p>{site.name} is general information and not personal financial advice. Investments can lose value.</p>
          <p>© {site.publisher} All rights reserved.</p>
        </div>
      </div>
    </footer>
  );
}
