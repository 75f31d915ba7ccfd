import { site } from '@daybook/contract';
import { Logo } from '../logo/logo.tsx';
import styles from './home-link.module.css';

/** The logo as the way home, for headers. */
export function HomeLink() {
  return (
    <a className={styles.home} href="/" aria-label={`${site.name}, home`}>
      <Logo />
    </a>
  );
}
