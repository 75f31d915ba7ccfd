import type { ReactNode } from 'react';
import styles from './needs-script.module.css';

export interface NeedsScriptProps {
  readonly children: ReactNode;
}

/** Beside what does nothing without JavaScript: says so to who has none, and nobody else. */
export function NeedsScript({ children }: NeedsScriptProps) {
  return (
    <noscript>
      <p className={styles.note}>{children}</p>
    </noscript>
  );
}
