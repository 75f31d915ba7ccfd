import type { ReactNode } from 'react';
import styles from './status.module.css';

interface WithChildren {
  readonly children: ReactNode;
}

/** Text for screen readers only. */
export function VisuallyHidden({ children }: WithChildren) {
  return <span className={styles.hidden}>{children}</span>;
}

/**
 * Indicates an operation in progress of unknown duration. With reduced motion it stands still.
 *
 * @param label names the operation; omit it if the adjacent text does
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

/** The error message of a whole form or page, announced when it appears; `id` is for `aria-describedby`. */
export function ErrorMessage({ id, children }: WithChildren & { readonly id?: string }) {
  return (
    <p id={id} role="alert" className={styles.error}>
      {children}
    </p>
  );
}

/**
 * Shows a native alert. Only for a text that the page shows as well: browsers may suppress alerts, and in-app browsers
 * have a function that throws, or none.
 */
export function showAlert(text: string): void {
  try {
    alert(text);
  } catch {
    // The page shows the text.
  }
}

/** A note for visitors without JavaScript, next to elements that need it. */
export function NeedsScript({ children }: WithChildren) {
  return (
    <noscript>
      <p className={styles.note}>{children}</p>
    </noscript>
  );
}
