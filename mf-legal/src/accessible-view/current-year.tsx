import { useSyncExternalStore } from 'react';
import styles from './current-year.module.css';

const never = () => () => undefined;

/**
 * The year it is for the visitor. The page is rendered long before it is read, so at first its place is kept
 * empty, as wide as four digits, and nothing moves when the year arrives.
 */
export function CurrentYear() {
  const year = useSyncExternalStore(
    never,
    () => new Date().getFullYear(),
    () => undefined,
  );
  return <span className={styles.year}>{year}</span>;
}
