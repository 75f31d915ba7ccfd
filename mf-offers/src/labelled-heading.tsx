import styles from './labelled-heading.module.css';

interface LabelledHeadingProps {
  readonly id: string;
  /** What the section is, such as “Sponsored”: read before the heading. */
  readonly label: string;
  readonly children: string;
  readonly size?: 'regular' | 'small';
}

/** The heading of a section that says first what it is. */
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
