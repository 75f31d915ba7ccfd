import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './columns.module.css';

export interface SideBySideProps extends ComponentProps<'div'> {
  /** Vertical alignment of columns with different heights; stretched by default. */
  readonly align?: 'start' | 'center' | undefined;
}

/** Columns side by side, or stacked if space or the reader's text size requires it. */
export function SideBySide({ align, className, ...rest }: SideBySideProps) {
  return <div {...rest} className={classNames(styles.columns, align && styles[align], className)} />;
}

export interface IntroductionProps {
  /** Category of the page, above its heading. */
  readonly label?: ReactNode;
  readonly heading: string;
  readonly lead: string;
  /** Next to the text; its own class sets its maximum width. */
  readonly picture: ReactNode;
  /** Content after the lead: reasons and actions. */
  readonly children?: ReactNode;
}

/** The introduction of a wide page: the offer in large type, next to a picture of it. */
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
