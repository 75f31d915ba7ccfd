import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './prose.module.css';

/** Sets long text: headings, lists, tables and quotations at a readable measure, also on paper. */
export function Prose({ className, children, ...rest }: ComponentProps<'div'>) {
  return (
    <div {...rest} className={classNames(styles.prose, className)}>
      {children}
    </div>
  );
}
