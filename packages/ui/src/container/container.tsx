import type { ComponentProps } from 'react';
import { classNames } from '../class-names.ts';
import styles from './container.module.css';

export interface ContainerProps extends ComponentProps<'div'> {
  /** `narrow` for a form, `regular` for text, `wide` for a page of several columns. */
  readonly width?: 'narrow' | 'regular' | 'wide' | undefined;
}

/** Keeps content to a readable width, centred, with the page's edges around it. */
export function Container({ width = 'regular', className, children, ...rest }: ContainerProps) {
  return (
    <div {...rest} className={classNames(styles.container, styles[width], className)}>
      {children}
    </div>
  );
}
