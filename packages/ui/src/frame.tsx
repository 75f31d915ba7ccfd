import { site } from '@daybook/contract/site';
import { classNames } from './class-names.ts';
import styles from './frame.module.css';
import { Container } from './layout.tsx';

/** The name in outlines of Source Serif 4 (SIL Open Font License), baseline at 0, 100 units to the em, 426 wide. */
const wordmark =
  'M3 0v-6l13-1h2v7zM12 0q0-5 0-10q0-5 0-10q0-6 0-11v-5q0-5 0-10q0-5 0-10q0-5 0-10h15q0 5 0 10q0 5 0 10q0 5 0 10v5q0 5 0 10q0 6 0 11q0 5 0 10zM21 0v-6h12q7 0 12-3q5-3 8-10q2-6 2-14q0-14-5-20q-6-7-16-7h-13v-6h14q11 0 19 3q8 4 12 11q4 8 4 18q0 11-4 19q-5 7-13 11q-8 4-20 4zM3-60v-6h15v6h-2zM91 1q-6 0-9-3q-4-3-4-10q0-3 1-6q2-3 6-6q4-2 11-4q2 0 5-1q3-1 5-1q3-1 6-2v4q-3 1-7 2q-3 1-6 2q-4 1-5 3q-2 1-3 3q-1 2-1 4q0 3 2 5q2 2 6 2q2 0 4-1q1 0 3-2q2-1 5-3v5h-4q-2 3-4 5q-1 2-4 3q-3 1-7 1zM118 1q-5 0-7-2q-3-3-4-8v-25q0-4-1-7q-1-2-3-3q-2-1-6-1q-2 0-4 0q-2 0-5 1l5-4l-1 8q0 4-2 6q-2 2-5 2q-2 0-4-1q-1-2-2-4q1-6 7-10q6-4 15-4q6 0 11 2q4 2 6 6q2 4 2 10v22q0 2 1 3q1 1 2 1q2 0 2 0q1 0 2-1l2 4q-2 2-4 4q-3 1-7 1zM139 24q-3 0-5-1q-3-1-4-3q-2-1-2-3q1-3 3-4q2-2 5-2q2 0 4 1q2 1 4 4l3 4h-4l1-1q2-2 5-4q2-2 4-5q1-4 3-7l2-5l2-1l7-26l7-21h8l-20 52q-3 7-6 12q-3 5-7 7q-4 3-10 3zM155 8l-23-58h15l14 42l2 1zM128-44v-6h29v6l-11 1h-8zM164-44v-6h21v6l-8 1h-3zM189 0v-5l6-2q0-2 0-5q0-2 1-5q0-2 0-5v-41l-8-1v-5l18-4l3 1v13l-1 18l1 1v31l-2 10zM224 1q-4 0-7-1q-3-1-5-3q-2-3-4-6h-3v-7q4 5 7 7q3 2 7 2q3 0 6-2q2-2 4-5q1-4 1-11q0-9-3-13q-3-4-8-4q-3 0-5 1q-2 1-5 3q-2 2-4 4l-1-7h5q2-3 4-5q2-3 5-4q3-1 7-1q5 0 10 3q4 3 7 9q3 6 3 14q0 8-3 14q-3 6-8 9q-4 3-10 3zM277 1q-7 0-13-3q-6-3-9-9q-3-5-3-14q0-8 3-14q4-6 9-9q6-3 13-3q7 0 13 3q6 3 9 9q4 6 4 14q0 8-4 14q-3 6-9 9q-6 3-13 3zM277-4q4 0 6-3q3-2 4-6q2-5 2-12q0-7-2-11q-1-5-4-7q-2-2-6-2q-4 0-6 2q-3 2-4 7q-1 4-1 11q0 7 1 12q1 4 4 6q2 3 6 3zM335 1q-7 0-12-3q-6-3-10-9q-3-5-3-14q0-8 3-14q4-6 10-9q6-3 12-3q7 0 13 3q6 3 10 9q3 6 3 14q0 8-3 14q-4 6-10 9q-6 3-13 3zM335-4q4 0 7-3q2-2 4-6q1-5 1-12q0-7-1-11q-2-5-4-7q-3-2-7-2q-3 0-6 2q-2 2-4 7q-1 4-1 11q0 7 1 12q2 4 4 6q3 3 6 3zM367 0v-5l11-1h6l11 1v5zM374 0q0-2 0-5q0-3 0-6q0-2 0-5q0-3 0-6v-41l-7-1v-5l18-4l3 1v13v37q0 3 0 6q0 2 0 5q0 3 0 6q0 3 0 5zM382-14v-9h4l13-13l13-13h9zM407 0l-14-27l9-9l17 30l6 1v5zM397-44v-6h26v6l-12 1h-3z';

/** The mark is a D made of a ledger's double margin line and half a sun. */
function Logo({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={classNames(styles.logo, className)} viewBox="0 0 526 100" role="img" aria-label={site.name}>
      <path d="M0 6h6v76H0zM13 6h6v76h-6z" />
      <path className={styles.day} d="M26 6a38 38 0 0 1 0 76z" />
      <path transform="translate(90 77)" d={wordmark} />
    </svg>
  );
}

function HomeLink() {
  return (
    <a className={styles.home} href="/" aria-label={`${site.name}, home`}>
      <Logo />
    </a>
  );
}

export function SiteHeader() {
  return (
    <header className={styles.siteHeader}>
      <HomeLink />
    </header>
  );
}

export function PrivacyHeader() {
  return (
    <header className={styles.privacyHeader}>
      <Container width="wide" className={styles.privacyInner}>
        <HomeLink />
        <a className={styles.back} href="/">
          Back to Home
        </a>
      </Container>
    </header>
  );
}

/** Folded on a phone. */
const footerGroups = [
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

/** The copyright line has no year: a page rendered before New Year and read after it would contradict itself. */
export function SiteFooter({ supportAddress }: { readonly supportAddress: string }) {
  return (
    <footer className={styles.footer}>
      <Container width="wide" className={styles.inner}>
        <div className={styles.publisher}>
          <Logo className={styles.smallLogo} />
          <address className={styles.address} translate="no">
            {site.postalAddress.map((line) => (
              <span key={line}>{line}</span>
            ))}
            <a href={`mailto:${supportAddress}`}>{supportAddress}</a>
          </address>
        </div>
        <nav className={styles.groups} aria-label="Footer">
          {footerGroups.map(({ heading, links }) => (
            <details key={heading} className={styles.group}>
              <summary className={styles.summary}>
                <h2 className={styles.heading}>{heading}</h2>
              </summary>
              {/* biome-ignore lint/a11y/noRedundantRoles: without list marks, Safari reads no list out unless the role is given */}
              <ul role="list" className={styles.links}>
                {links.map(({ href, label }) => (
                  <li key={href}>
                    <a className={styles.link} href={href}>
                      {label}
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          ))}
        </nav>
        <div className={styles.small}>
          <p>{site.name} is general information, not personal financial advice. Investments can lose value.</p>
          <p>© {site.publisher} All rights reserved.</p>
        </div>
      </Container>
    </footer>
  );
}
