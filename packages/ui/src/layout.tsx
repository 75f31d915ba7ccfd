import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './layout.module.css';
import statusStyles from './status.module.css';

interface ContainerProps extends ComponentProps<'div'> {
  /** `narrow` for a form, `regular` for text, `wide` for several columns. */
  readonly width?: 'narrow' | 'regular' | 'wide';
}

/** Limits content to a readable width. All widths start at the same edge. */
export function Container({ width = 'regular', className, ...rest }: ContainerProps) {
  return <div {...rest} className={classNames(styles.container, styles[width], className)} />;
}

/** A full-width band; its content uses the light-on-dark colours. */
export function Cover({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} data-surface="cover" className={classNames(styles.cover, className)} />;
}

interface PanelProps extends ComponentProps<'section'> {
  /** `notice` for information to read first. */
  readonly tone?: 'plain' | 'success' | 'notice';
}

/** A sheet on the page. Name it with `aria-labelledby`. */
export function Panel({ tone = 'plain', className, ...rest }: PanelProps) {
  return <section {...rest} className={classNames(styles.panel, styles[tone], className)} />;
}

interface PageHeadingProps {
  readonly children: ReactNode;
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
