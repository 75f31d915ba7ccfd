import { HomeLink } from '../home-link/home-link.tsx';
import styles from './privacy-header.module.css';

/** The header of the privacy-choice pages: two ways back to the home page. */
export function PrivacyHeader() {
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <HomeLink />
        <a className={styles.back} href="/">
          Back to Home
        </a>
      </div>
    </header>
  );
}
