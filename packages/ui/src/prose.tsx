import type { ReactNode } from 'react';
import styles from './prose.module.css';

/** Long text: headings, lists, tables and quotations, also on paper. */
export function Prose({ children }: { readonly children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>;
}
