import styles from './sponsored.module.css';

export function Sponsored() {
  return <span className={styles.badge}>Sponsored</span>;
}
