import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './spinner.module.css';

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
