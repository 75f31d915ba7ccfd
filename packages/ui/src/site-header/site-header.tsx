import { HomeLink } from '../home-link/home-link.tsx';
import styles from './site-header.module.css';

/** The header of most pages: the logo, centred, and nothing else to choose from. */
export function SiteHeader() {
  return (
    <header className={styles.header}>
      <HomeLink />
    </header>
  );
}
