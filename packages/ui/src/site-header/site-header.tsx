import { site } from '@daybook/contract';
import { Logo } from '../logo/logo.tsx';
import styles from './site-header.module.css';

/** The header of most pages: the logo, centred, and nothing else to choose from. */
export function SiteHeader() {
  return (
    <header className={styles.header}>
      <a className={styles.home} href="/" aria-label={`${site.name}, home`}>
        <Logo />
      </a>
    </header>
  );
}
