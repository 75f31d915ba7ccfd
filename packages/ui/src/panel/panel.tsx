import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './panel.module.css';

export interface PanelProps extends ComponentProps<'section'> {
  /** `success` for what was done, `notice` for what the reader should know first. */
  readonly tone?: 'plain' | 'success' | 'notice' | undefined;
}

/** A sheet lying on the page: a form, a confirmation, a note. Give it a name with `aria-labelledby`. */
export function Panel({ tone = 'plain', className, children, ...rest }: PanelProps) {
  return (
    <section {...rest} className={classNames(styles.panel, styles[tone], className)}>
      {children}
    </section>
  );
}
