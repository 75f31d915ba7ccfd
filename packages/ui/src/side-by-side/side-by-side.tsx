import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './side-by-side.module.css';

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
