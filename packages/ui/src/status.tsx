import type { ReactNode } from 'react';
import styles from './status.module.css';

interface WithChildren {
  readonly children: ReactNode;
}

/** Text for screen readers where the eye already has what it needs. */
export function VisuallyHidden({ children }: WithChildren) {
  return <span className={styles.hidden}>{children}</span>;
}

/**
 * Something is under way and takes an unknown time. With reduced motion it breathes instead of turning.
 *
 * @param label says what is awaited; leave it out where the text beside it does
 */
export function Spinner({ label }: { readonly label?: string }) {
  const ring = <span className={styles.ring} aria-hidden="true" />;
  if (label === undefined) return ring;
  return (
    <span role="status" className={styles.status}>
      {ring}
      <VisuallyHidden>{label}</VisuallyHidden>
    </span>
  );
}

/** What went wrong with a whole form or page, announced when it appears; `id` is for `aria-describedby`. */
export function Problem({ id, children }: WithChildren & { readonly id?: string }) {
  return (
    <p id={id} role="alert" className={styles.problem}>
      {children}
    </p>
  );
}

/** Beside what does nothing without JavaScript: a note for visitors who have none. */
export function NeedsScript({ children }: WithChildren) {
  return (
    <noscript>
      <p className={styles.note}>{children}</p>
    </noscript>
  );
}
