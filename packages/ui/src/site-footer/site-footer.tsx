import { site } from '@daybook/contract';
import { Logo } from '../logo/logo.tsx';
import { footerGroups } from './footer-links.ts';
import styles from './site-footer.module.css';

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
          <Logo className={styles.logo} />
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
