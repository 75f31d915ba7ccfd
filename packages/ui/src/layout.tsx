import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';

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

/** A band across the page in the colour of the book's cover. What stands on it takes the light-on-dark colours by itself. */
export function Cover({ className, children, ...rest }: ComponentProps<'section'>) {
  return (
    <section {...rest} data-surface="cover" className={classNames(styles.cover, className)}>
      {children}
    </section>
  );
}

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

export interface PageHeadingProps {
  readonly children: ReactNode;
  /** One or two sentences that say what the page is for. */
  readonly lead?: ReactNode;
}

/** The page's one h1. It can take focus, so that a screen reader reads it when the shell has changed the page. */
export function PageHeading({ children, lead }: PageHeadingProps) {
  return (
    <div className={styles.pageHeading}>
      <h1 className={styles.heading} tabIndex={-1}>
        {children}
      </h1>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
