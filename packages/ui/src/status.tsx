import type { ReactNode } from 'react';
import styles from './status.module.css';

export interface VisuallyHiddenProps {
  readonly children: ReactNode;
}

/** Text for screen readers where the eye already has what it needs. */
export function VisuallyHidden({ children }: VisuallyHiddenProps) {
  return <span className={styles.hidden}>{children}</span>;
}

export interface SpinnerProps {
  /** Says what is awaited. Leave it out where the text beside it already does. */
  readonly label?: string | undefined;
}

/** Something is under way and takes an unknown time. With reduced motion it breathes instead of turning. */
export function Spinner({ label }: SpinnerProps) {
  const ring = <span className={styles.ring} aria-hidden="true" />;
  if (label === undefined) return ring;
  return (
    <span role="status" className={styles.status}>
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

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
