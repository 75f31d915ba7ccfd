import type { ReactNode } from 'react';
import styles from './status.module.css';

interface WithChildren {
  readonly children: ReactNode;
}

export function VisuallyHidden({ children }: WithChildren) {
  return <span className={styles.hidden}>{children}</span>;
}

/** Omit the label if the adjacent text names the operation. */
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

export function ErrorMessage({ id, children }: WithChildren & { readonly id?: string }) {
  return (
    <p id={id} role="alert" className={styles.error}>
      {children}
    </p>
  );
}

/** Only for a text that the page shows as well: browsers may suppress alerts, and in-app browsers throw or have none. */
export function showAlert(text: string): void {
  try {
    alert(text);
  } catch {}
}

export function NeedsScript({ children }: WithChildren) {
  return (
    <noscript>
      <p className={styles.note}>{children}</p>
    </noscript>
  );
}
