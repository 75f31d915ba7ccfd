import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './columns.module.css';

export interface SideBySideProps extends ComponentProps<'div'> {
  /** Where columns of unequal height stand to each other; as high as the highest if it isn't said. */
  readonly align?: 'start' | 'center' | undefined;
}

/** Columns beside each other, and below each other where the room or the reader's text size asks for it. */
export function SideBySide({ align, className, children, ...rest }: SideBySideProps) {
  return (
    <div {...rest} className={classNames(styles.columns, align && styles[align], className)}>
      {children}
    </div>
  );
}

export interface IntroductionProps extends Pick<SideBySideProps, 'align'> {
  /** What the page is, said above its heading. */
  readonly label?: ReactNode;
  readonly heading: string;
  readonly lead: string;
  /** Stands beside the words; a class of its own says how wide it may become. */
  readonly picture: ReactNode;
  /** What follows the lead: reasons, and the way on. */
  readonly children?: ReactNode;
}

/** How a page of the wide kind begins: what it offers, in large type, beside a picture of it. */
export function Introduction({ label, heading, lead, picture, align = 'center', children }: IntroductionProps) {
  return (
    <SideBySide align={align} className={styles.introduction}>
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
