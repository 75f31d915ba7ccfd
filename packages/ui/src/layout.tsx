import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';
import statusStyles from './status.module.css';

export interface ContainerProps extends ComponentProps<'div'> {
  /** `narrow` for a form, `regular` for text, `wide` for a page of several columns. */
  readonly width?: 'narrow' | 'regular' | 'wide' | undefined;
}

/** Limits content to a readable width, with the page's margins. All widths start at the same edge. */
export function Container({ width = 'regular', className, ...rest }: ContainerProps) {
  return <div {...rest} className={classNames(styles.container, styles[width], className)} />;
}

/** A full-width band in the colour of the book's cover. Its content uses the light-on-dark colours automatically. */
export function Cover({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} data-surface="cover" className={classNames(styles.cover, className)} />;
}

export interface PanelProps extends ComponentProps<'section'> {
  /** `success` for completed actions, `notice` for information to read first. */
  readonly tone?: 'plain' | 'success' | 'notice' | undefined;
}

/** A sheet on the page: a form, a confirmation, a note. Name it with `aria-labelledby`. */
export function Panel({ tone = 'plain', className, ...rest }: PanelProps) {
  return <section {...rest} className={classNames(styles.panel, styles[tone], className)} />;
}

export interface PageHeadingProps {
  readonly children: ReactNode;
  /** The purpose of the page in one or two sentences. */
  readonly lead?: ReactNode;
  /** Only for screen readers: the heading below says it again. */
  readonly visuallyHidden?: boolean;
}

/** The page's only h1. Focusable, so that a screen reader reads it when the shell has changed the page. */
export function PageHeading({ children, lead, visuallyHidden }: PageHeadingProps) {
  return (
    <div className={visuallyHidden ? statusStyles.hidden : styles.pageHeading}>
      <h1 tabIndex={-1}>{children}</h1>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
    </div>
  );
}
