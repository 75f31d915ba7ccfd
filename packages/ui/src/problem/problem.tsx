import type { ReactNode } from 'react';
import styles from './problem.module.css';

export interface ProblemProps {
  /** For the `aria-describedby` of what it is about. */
  readonly id?: string | undefined;
  readonly children: ReactNode;
}

/** What went wrong with a whole form or page, announced when it appears. What is wrong with one field stands beside that field. */
export function Problem({ id, children }: ProblemProps) {
  return (
    <p id={id} role="alert" className={styles.problem}>
      {children}
    </p>
  );
}
