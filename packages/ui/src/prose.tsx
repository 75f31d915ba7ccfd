import type { ReactNode } from 'react';
import styles from './prose.module.css';

/** Sets long text: headings, lists, tables and quotations at a readable measure, also on paper. */
export function Prose({ children }: { readonly children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>;
}
