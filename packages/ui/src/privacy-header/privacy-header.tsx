import { site } from '@daybook/contract';
import { Logo } from '../logo/logo.tsx';
import styles from './privacy-header.module.css';

/** The header of the privacy-choice pages: two ways back to the home page. */
export function PrivacyHeader() {
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <a className={styles.home} href="/" aria-label={`${site.name}, home`}>
          <Logo />
        </a>
        <a className={styles.back} href="/">
          Back to Home
        </a>
      </div>
    </header>
  );
}
