import type { ReactNode } from 'react';
import styles from './labelled-heading.module.css';

interface LabelledHeadingProps {
  readonly id: string;
  /** Kind of section, such as `Sponsored`: read before the heading. */
  readonly label: ReactNode;
  readonly children: string;
  readonly size?: 'regular' | 'small';
}

export function LabelledHeading({ id, label, children, size = 'regular' }: LabelledHeadingProps) {
  return (
    <>
      <p className={styles.label}>{label}</p>
      <h2 id={id} className={size === 'small' ? `${styles.heading} ${styles.small}` : styles.heading}>
        {children}
      </h2>
    </>
  );
}
