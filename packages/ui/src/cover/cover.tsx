import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './cover.module.css';

/** A band across the page in the colour of the book's cover. What stands on it takes the light-on-dark colours by itself. */
export function Cover({ className, children, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} data-surface="cover" className={classNames(styles.cover, className)}>
      {children}
    </section>
  );
}
