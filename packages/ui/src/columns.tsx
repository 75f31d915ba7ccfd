import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './columns.module.css';

/** Columns side by side, or stacked if space or the reader's text size requires it; stretched without `align`. */
export function SideBySide({ align, className, ...rest }: ComponentProps<'div'> & { align?: 'start' | 'center' }) {
  return <div {...rest} className={classNames(styles.columns, align && styles[align], className)} />;
}

interface IntroductionProps {
  /** Above the heading. */
  readonly label?: ReactNode;
  readonly heading: string;
  readonly lead: string;
  /** Its own class sets its maximum width. */
  readonly picture: ReactNode;
  readonly children?: ReactNode;
}

/** The introduction of a wide page, in large type. */
export function Introduction({ label, heading, lead, picture, children }: IntroductionProps) {
  return (
    <SideBySide align="center" className={styles.introduction}>
      <div className={styles.words}>
        {label}
        <h1 className={styles.display} tabIndex={-1}>
          {heading}
        </h1>
        <p className={styles.displayLead}>{lead}</p>
        {children}
      </div>
      {picture}
    </SideBySide>
  );
}
