import styles from './sponsored.module.css';

/** Marks what sponsors pay for, with the look of the offer picker's explained label, which is a control. */
export function Sponsored() {
  return <span className={styles.badge}>Sponsored</span>;
}
